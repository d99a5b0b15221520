/* circuit/binfile.h - the iden3 container: magic | u32 version | u32 sections | { u32 id | u64 bytes | data }*.
 * Order is free, unknown ids are skipped, a known id may occur once.  Every read is checked against the file. */
#ifndef CUZK_CIRCUIT_BINFILE_H
#define CUZK_CIRCUIT_BINFILE_H

#include "base/file.h"

#define BINFILE_SECTION_ID_MAX 16

/* A cursor over one section (or a whole file).  Reads fail INPUT with role, section, field, index and offset. */
struct reader {
    const struct file_map *file;
    const char            *section;
    size_t                 pos, end; /* in the file; pos <= end <= file->size */
};

struct binfile {
    const struct file_map *file;
    uint32_t               version;
    const char *const     *names;                           /* by id; NULL: unknown id */
    struct { size_t start, bytes; bool present; } section[BINFILE_SECTION_ID_MAX + 1];
};

/* Indexes the sections.  names[id] for ids to BINFILE_SECTION_ID_MAX.  Fails INPUT on a wrong magic or version, a section
 * that runs past the file, a doubled known section, a section count the file cannot hold, trailing bytes. */
cuzk_status binfile_index(struct binfile *out, const struct file_map *file, const char magic[4],
                          uint32_t version_min, uint32_t version_max, const char *const *names, struct cuzk_err *err);

/* INPUT if the section is missing. */
cuzk_status binfile_section(struct reader *out, const struct binfile *f, uint32_t id, struct cuzk_err *err);

cuzk_status reader_u32(uint32_t *out, struct reader *r, const char *field, struct cuzk_err *err);
cuzk_status reader_u64(uint64_t *out, struct reader *r, const char *field, struct cuzk_err *err);
/* Borrowed from the map until it is closed. */
cuzk_status reader_bytes(const uint8_t **out, struct reader *r, size_t bytes, const char *field, struct cuzk_err *err);
/* INPUT unless exactly count * size bytes are left. */
cuzk_status reader_expect_left(const struct reader *r, uint64_t count, size_t size, const char *field,
                               struct cuzk_err *err);
/* The INPUT failure for this reader's file and section. */
cuzk_status reader_fail(const struct reader *r, const char *field, uint64_t index, size_t offset,
                        const char *expected, struct cuzk_err *err, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

#endif
