/* circuit/binfile.c - the iden3 container and the checked cursor.  Numbers are little-endian, as this machine's. */
#include "circuit/binfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define HEADER_BYTES         12 /* magic, version, sections */
#define SECTION_HEADER_BYTES 12 /* id, bytes */

cuzk_status reader_fail(const struct reader *r, const char *field, uint64_t index, size_t offset,
                        const char *expected, struct cuzk_err *err, const char *format, ...)
{
    struct err_place place = { r->file->role, r->section, field, index, offset };
    char text[sizeof err->text];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return err_set_at(err, CUZK_E_INPUT, &place, r->file->path, expected, "%s", text);
}

cuzk_status reader_bytes(const uint8_t **out, struct reader *r, size_t bytes, const char *field, struct cuzk_err *err)
{
    *out = r->file->data + r->pos;
    if (bytes > r->end - r->pos)
        return reader_fail(r, field, ERR_NONE, r->pos, NULL, err, "%zu bytes are needed, %zu are left", bytes,
                           r->end - r->pos);
    r->pos += bytes;
    return CUZK_OK;
}

cuzk_status reader_u32(uint32_t *out, struct reader *r, const char *field, struct cuzk_err *err)
{
    const uint8_t *data;
    cuzk_status st = reader_bytes(&data, r, sizeof *out, field, err);

    if (st == CUZK_OK)
        memcpy(out, data, sizeof *out);
    return st;
}

cuzk_status reader_u64(uint64_t *out, struct reader *r, const char *field, struct cuzk_err *err)
{
    const uint8_t *data;
    cuzk_status st = reader_bytes(&data, r, sizeof *out, field, err);

    if (st == CUZK_OK)
        memcpy(out, data, sizeof *out);
    return st;
}

cuzk_status reader_expect_left(const struct reader *r, uint64_t count, size_t size, const char *field,
                               struct cuzk_err *err)
{
    uint64_t wanted;
    char expected[64];

    if (__builtin_mul_overflow(count, (uint64_t)size, &wanted))
        wanted = UINT64_MAX;
    if (wanted == r->end - r->pos)
        return CUZK_OK;
    (void)snprintf(expected, sizeof expected, "%" PRIu64 " x %zu bytes", count, size);
    return reader_fail(r, field, ERR_NONE, r->pos, expected, err, "%zu bytes are there", r->end - r->pos);
}

/* One entry of the section table; r stands at its header and moves past its data. */
static cuzk_status index_section(struct binfile *out, struct reader *r, uint32_t number, struct cuzk_err *err)
{
    cuzk_status st;
    size_t start = r->pos;
    uint32_t id;
    uint64_t bytes;
    const uint8_t *data;

    TRY(reader_u32(&id, r, "section id", err));
    TRY(reader_u64(&bytes, r, "section size", err));
    if (bytes > r->end - r->pos) {
        st = reader_fail(r, "section size", number, start + 4, NULL, err,
                         "section %" PRIu32 " claims %" PRIu64 " bytes, the file has %zu left", id, bytes,
                         r->end - r->pos);
        goto out;
    }
    if (id <= BINFILE_SECTION_ID_MAX && out->names[id] != NULL) {
        if (out->section[id].present) {
            st = reader_fail(r, "section id", number, start, "each section once", err, "section %" PRIu32 " (%s) twice",
                             id, out->names[id]);
            goto out;
        }
        out->section[id].present = true;
        out->section[id].start = r->pos;
        out->section[id].bytes = bytes;
    }
    TRY(reader_bytes(&data, r, bytes, "section", err));
out:
    return st;
}

cuzk_status binfile_index(struct binfile *out, const struct file_map *file, const char magic[4],
                          uint32_t version_min, uint32_t version_max, const char *const *names, struct cuzk_err *err)
{
    cuzk_status st;
    struct reader r = { .file = file, .section = NULL, .pos = 0, .end = file->size };
    const uint8_t *found;
    uint32_t sections;
    char expected[32];

    *out = (struct binfile){ .file = file, .names = names };
    TRY(reader_bytes(&found, &r, 4, "magic", err));
    if (memcmp(found, magic, 4) != 0) {
        (void)snprintf(expected, sizeof expected, "\"%.4s\"", magic);
        st = reader_fail(&r, "magic", ERR_NONE, 0, expected, err, "this is no .%.4s file", magic);
        goto out;
    }
    TRY(reader_u32(&out->version, &r, "version", err));
    if (out->version < version_min || out->version > version_max) {
        (void)snprintf(expected, sizeof expected, "%" PRIu32 " to %" PRIu32, version_min, version_max);
        st = reader_fail(&r, "version", ERR_NONE, 4, expected, err, "version %" PRIu32 " is not known", out->version);
        goto out;
    }
    TRY(reader_u32(&sections, &r, "section count", err));
    if (sections > (r.end - r.pos) / SECTION_HEADER_BYTES) {
        st = reader_fail(&r, "section count", ERR_NONE, 8, NULL, err,
                         "%" PRIu32 " sections do not fit into %zu bytes", sections, r.end - r.pos);
        goto out;
    }
    for (uint32_t i = 0; i < sections; i++)
        TRY(index_section(out, &r, i, err));
    if (r.pos != r.end)
        st = reader_fail(&r, "end of file", ERR_NONE, r.pos, "nothing", err, "%zu bytes follow the last section",
                         r.end - r.pos);
out:
    return st;
}

cuzk_status binfile_section(struct reader *out, const struct binfile *f, uint32_t id, struct cuzk_err *err)
{
    *out = (struct reader){ .file = f->file, .section = f->names[id] };
    if (!f->section[id].present) {
        out->end = out->pos = f->file->size;
        return reader_fail(out, NULL, ERR_NONE, f->file->size, NULL, err, "section %" PRIu32 " (%s) is missing", id,
                           f->names[id]);
    }
    out->pos = f->section[id].start;
    out->end = out->pos + f->section[id].bytes;
    return CUZK_OK;
}
