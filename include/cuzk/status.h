/* include/cuzk/status.h - the classes of failure, the same in the library, the tool, gRPC and HTTP. */
#ifndef CUZK_STATUS_H
#define CUZK_STATUS_H

/* Grouped by what the caller should do next.  The value is the exit status of the tool. */
typedef enum {
    CUZK_OK            = 0,
    CUZK_E_USAGE       = 1,  /* read the help */
    CUZK_E_INPUT       = 2,  /* malformed, non-canonical, mismatch: never retry */
    CUZK_E_UNSATISFIED = 3,  /* the witness does not satisfy the circuit: never retry */
    CUZK_E_NOT_FOUND   = 4,
    CUZK_E_DENIED      = 5,
    CUZK_E_BUSY        = 6,  /* over budget now: retry later */
    CUZK_E_CANCELLED   = 7,  /* deadline or cancelled */
    CUZK_E_DEVICE      = 8,  /* retry the part elsewhere */
    CUZK_E_IO          = 9,  /* tell the operator */
    CUZK_E_BUG         = 70, /* report */
} cuzk_status;

/* A word for the class, such as "input"; "bug" for a value outside of the enum. */
const char *cuzk_status_name(cuzk_status status);

#endif
