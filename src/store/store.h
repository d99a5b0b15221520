/* store/store.h - jobs, payloads, parts, results and registered circuits that survive a crash.  Knows ids and bytes,
 * nothing of proofs.
 *
 * Rows are in a database, payloads in files beside it.  One store thread makes every change: it takes all that waits,
 * makes one transaction of it, syncs, and only then answers.  Reading waits for no change.
 *
 *   submit -> payload file synced -> ACCEPTED row synced -> *answer* -> deliver to the desk
 *   restart: every ACCEPTED or RUNNING row -> deliver to the desk, oldest first: the same door
 *
 *   ACCEPTED -> RUNNING -> DONE | FAILED     CANCELLED and SUPERSEDED from ACCEPTED or RUNNING; the last four are final
 */
#ifndef CUZK_STORE_STORE_H
#define CUZK_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define STORE_ID_BYTES      256 /* a UUIDv7 as 36 characters, or the request id where an API fixes it; NUL */
#define STORE_NAME_BYTES    64  /* tenant, kind, circuit; NUL */
#define STORE_REQUEST_BYTES 256 /* the client's request id, UTF-8, no NUL inside; NUL */
#define STORE_DIGEST_BYTES  32  /* SHA-256 */
#define STORE_PROOF_BYTES_MAX ((size_t)64 << 20) /* of a part's proof, or of a result: more is INPUT */

enum job_state { JOB_ACCEPTED, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_SUPERSEDED, JOB_STATE_COUNT };
extern const char *const job_state_name[JOB_STATE_COUNT];

enum job_priority { PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_CRITICAL, PRIORITY_COUNT };
extern const char *const job_priority_name[PRIORITY_COUNT]; /* low normal high critical */

/* A job's row, by value. */
struct store_job {
    char              id[STORE_ID_BYTES];
    uint64_t          sequence;   /* rises with each accepted job: its age */
    char              tenant[STORE_NAME_BYTES];
    char              request_id[STORE_REQUEST_BYTES]; /* empty: none, never attached to */
    char              kind[STORE_NAME_BYTES];          /* a row of the engine's table of kinds */
    char              circuit[STORE_NAME_BYTES];       /* a registered circuit; empty where the kind knows it */
    uint8_t           content[STORE_DIGEST_BYTES];     /* of kind, circuit, its digest and the payload */
    enum job_priority priority;
    enum job_state    state;
    uint32_t          parts, parts_done;
    uint64_t          payload_bytes;
    int64_t           submitted_ms, started_ms, finished_ms; /* of the epoch; 0: not yet; never falling */
    int64_t           deadline_ms;                           /* 0: none */
    bool              detached;                              /* goes on when its client leaves */
    cuzk_status       error;                                 /* CUZK_OK unless FAILED */
    char              error_text[512];                       /* or the reason of a cancel, or what superseded it */
    uint64_t          synth_ns, device_ns, finish_ns;        /* sums over parts */
    size_t            result_bytes;
};

struct store;

struct store_config {
    const char *dir;               /* made if absent, mode 0700; locked: a second store on it is refused (IO) */
    uint64_t    result_age_ms;     /* finished jobs older than this go; 0: never */
    uint64_t    results_max;       /* and the oldest beyond this many; 0: any number */
    uint64_t    payload_bytes_max; /* of all payloads: more is BUSY, or INPUT where it can never fit; 0: the disk's */
    uint64_t    jobs_max;          /* unfinished ones; more is BUSY; 0: any number */
    void (*deliver)(void *context, const struct store_job *job); /* on the store thread; must not block */
    void       *context;           /* of deliver and now_ms */
    int64_t (*now_ms)(void *context); /* called by the store thread and store_open; NULL: the system's clock */
};

/* Opens, makes or migrates the tables, removes files that no row names, expires results.  Delivers nothing yet. */
cuzk_status store_open(struct store **out, const struct store_config *config, struct cuzk_err *err);
/* Delivers the unfinished jobs, oldest first, and from then on each new one, after the answer to its submit.  After a
 * failure it may be called again and goes on where it failed. */
cuzk_status store_start(struct store *s, struct cuzk_err *err);
/* Does what is queued, then stops.  Answers come before it returns; what these ask for is done or CANCELLED.  No
 * payload may be open, no other thread in a call.  NULL is nothing. */
void store_close(struct store *s);

/* --- payloads: any thread, one thread a payload ------------------------------------------------------------------- */

/* A file that grows as bytes arrive; digested on the way.  Disappears unless a job takes it. */
struct store_payload;
cuzk_status store_payload_begin(struct store_payload **out, struct store *s, struct cuzk_err *err);
/* A payload of which a write failed can only be abandoned: every later call says the same. */
cuzk_status store_payload_write(struct store_payload *p, const void *data, size_t bytes, struct cuzk_err *err);
uint64_t    store_payload_bytes(const struct store_payload *p);
void        store_payload_abandon(struct store_payload **p);

/* --- changes: any thread -----------------------------------------------------------------------------------------
 *
 * done (NULL: nobody asks) runs on the store thread once the change is synced or has failed; it must not block.  It may
 * ask for more changes and read, but not call what waits for the store thread: store_start, store_check,
 * store_circuit_add and _remove.  A change that cannot even be queued (no memory for it, proof too large, id too long)
 * is answered by the calling thread before the call returns. */

struct store_answer {
    cuzk_status      status; /* OK; INPUT; NOT_FOUND; BUSY: jobs_max, disk full; IO; CANCELLED: the store is closing */
    struct cuzk_err  err;
    struct store_job job;    /* as it is now, if OK */
    bool             attached; /* submit: the job was there: same tenant, request id and content */
    bool             changed;  /* this call made the job, or the move; the part was new */
    char superseded[STORE_ID_BYTES]; /* submit: the job with other content that gave way; empty: none */
};
typedef void store_done(void *context, const struct store_answer *answer);

struct store_request { /* copied */
    const char       *tenant, *request_id, *kind, *circuit;
    const uint8_t    *circuit_digest; /* STORE_DIGEST_BYTES, goes into content; NULL: none */
    const char       *job_id;         /* NULL or empty: a fresh UUIDv7 */
    enum job_priority priority;
    uint32_t          parts;
    int64_t           deadline_ms;
    bool              detached;
};
/* Takes the payload (*payload = NULL) whatever happens, and blocks while it is synced.
 * Same tenant and request id with the same content: attaches to the job that is unfinished or DONE; one that FAILED or
 * was CANCELLED or SUPERSEDED does not count.  An unfinished job with other content moves to SUPERSEDED, so that the
 * content asked for last is the one worked on.  If there is nothing to attach to, a new job is made; a job_id that
 * another job holds gives way to a fresh one.  Attaching widens an unfinished job to what was asked: the higher
 * priority, the later deadline, detached if either is. */
void store_submit(struct store *s, struct store_payload **payload, const struct store_request *request,
                  store_done *done, void *context);

/* Of these four, what the job's state does not allow changes nothing and is no error: the answer shows the job. */
void store_running(struct store *s, const char *id, store_done *done, void *context);
/* A part's proof, kept for a restart.  Idempotent: the first one stays. */
void store_part(struct store *s, const char *id, uint32_t part, const void *proof, size_t bytes, store_done *done,
                void *context);
struct store_outcome { /* copied */
    enum job_state state; /* DONE, FAILED */
    cuzk_status    error;      /* OK if and only if DONE */
    const char    *error_text; /* NULL: none */
    const void    *result;     /* of DONE */
    size_t         result_bytes;
    uint64_t       synth_ns, device_ns, finish_ns;
};
/* The final move, by way of RUNNING if that was not stored.  The payload file and the parts go. */
void store_finish(struct store *s, const char *id, const struct store_outcome *outcome, store_done *done,
                  void *context);
void store_cancel(struct store *s, const char *id, const char *reason, store_done *done, void *context);
/* Expires by age and count now; also done at start and each minute. */
void store_expire(struct store *s, store_done *done, void *context);

/* --- reading: any thread ------------------------------------------------------------------------------------------ */

cuzk_status store_get(struct store *s, const char *id, struct store_job *out, struct cuzk_err *err);
/* Result bytes of a DONE job; mem_free. */
cuzk_status store_result(struct store *s, const char *id, uint8_t **out, size_t *bytes, struct cuzk_err *err);
/* Path of a job's payload file, for file_map_open: stays until the job is final. */
cuzk_status store_payload_path(struct store *s, const char *id, char *path, size_t path_bytes, struct cuzk_err *err);
/* The finished parts of a job, lowest first: calls each(context, part, proof, bytes). */
cuzk_status store_parts(struct store *s, const char *id,
                        void (*each)(void *context, uint32_t part, const void *proof, size_t bytes), void *context,
                        struct cuzk_err *err);
struct store_filter { const char *tenant; int state; uint64_t before; size_t limit; }; /* NULL, -1, 0: any */
/* Newest first, at most limit; before: a sequence to go on from. */
cuzk_status store_list(struct store *s, const struct store_filter *filter,
                       void (*each)(void *context, const struct store_job *job), void *context, struct cuzk_err *err);

struct store_counts {
    uint64_t jobs[JOB_STATE_COUNT]; /* rows now */
    uint64_t completed, failed, cancelled; /* since the store was made */
    uint64_t payload_bytes, queued;  /* queued: changes that wait for the store thread */
};
/* From memory, no disk. */
struct store_counts store_counts(const struct store *s);

/* The database's own check, and the laws of this file: each row in a state with what it must have, each unfinished job
 * with its payload file of the right size, figures that add up.  Changes wait meanwhile: for tests, `cuzkd --check`. */
cuzk_status store_check(struct store *s, struct cuzk_err *err);

/* --- registered circuits ------------------------------------------------------------------------------------------ */

struct store_circuit {
    char     name[STORE_NAME_BYTES], path[1024]; /* path: where the key file is */
    uint8_t  digest[STORE_DIGEST_BYTES];         /* SHA-256 of the key file */
    uint64_t bytes;
    int64_t  added_ms;
    bool     owned;   /* the file lies in the store's folder and goes with the circuit */
    bool     preload;
};
/* In: name and preload; and path (absolute), digest and bytes of a key file that is used as it is, where *payload is
 * NULL.  A key that arrived as a payload becomes owned.  Out: the circuit as it is now.  Waits for the answer.
 * The same name and digest again is nothing; the same name with another digest is INPUT unless replace. */
cuzk_status store_circuit_add(struct store *s, struct store_payload **payload, struct store_circuit *circuit,
                              bool replace, struct cuzk_err *err);
cuzk_status store_circuit_remove(struct store *s, const char *name, struct cuzk_err *err);
cuzk_status store_circuit_get(struct store *s, const char *name, struct store_circuit *out, struct cuzk_err *err);
cuzk_status store_circuits(struct store *s, void (*each)(void *context, const struct store_circuit *circuit),
                           void *context, struct cuzk_err *err);

#endif
