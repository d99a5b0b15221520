/* store/content.c - the checks and the digest of a request. */
#include "store/content.h"

#include <openssl/evp.h>
#include <string.h>

#include "base/utf8.h"

#define CONTENT_MARK "cuzk content 1"

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static cuzk_status text_check(const char *text, size_t room, bool needed, const char *field, struct cuzk_err *err)
{
    struct err_place place = { .role = "request", .field = field, .index = ERR_NONE, .offset = ERR_NONE };
    size_t           length = strnlen(text, room);

    if (length == room)
        return err_set_at(err, CUZK_E_INPUT, &place, NULL, NULL, "is longer than %zu bytes", room - 1);
    if (needed && length == 0)
        return err_set_at(err, CUZK_E_INPUT, &place, NULL, NULL, "is empty");
    for (size_t i = 0, bytes; i < length; i += bytes) {
        bytes = utf8_bytes(text + i);
        if (bytes == 0) {
            place.index = i;
            return err_set_at(err, CUZK_E_INPUT, &place, NULL, "UTF-8", "holds a byte that is no character's");
        }
    }
    return CUZK_OK;
}

cuzk_status request_check(const struct store_request *request, struct cuzk_err *err)
{
    struct err_place place = { .role = "request", .field = "parts", .index = ERR_NONE, .offset = ERR_NONE };
    cuzk_status      st;

    TRY(text_check(or_empty(request->tenant), STORE_NAME_BYTES, false, "tenant", err));
    TRY(text_check(or_empty(request->request_id), STORE_REQUEST_BYTES, false, "request_id", err));
    TRY(text_check(or_empty(request->kind), STORE_NAME_BYTES, true, "kind", err));
    TRY(text_check(or_empty(request->circuit), STORE_NAME_BYTES, false, "circuit", err));
    TRY(text_check(or_empty(request->job_id), STORE_ID_BYTES, false, "job_id", err));
    if (request->parts == 0)
        st = err_set_at(err, CUZK_E_INPUT, &place, NULL, "at least 1", "is 0");
    else if (request->deadline_ms < 0) {
        place.field = "deadline_ms";
        st = err_set_at(err, CUZK_E_INPUT, &place, NULL, NULL, "is negative");
    } else if ((uint32_t)request->priority >= PRIORITY_COUNT) {
        place.field = "priority";
        st = err_set_at(err, CUZK_E_INPUT, &place, NULL, NULL, "is %u", (unsigned)request->priority);
    }
out:
    return st;
}

cuzk_status circuit_check(const struct store_circuit *circuit, bool needs_path, struct cuzk_err *err)
{
    cuzk_status st;

    TRY(text_check(circuit->name, sizeof circuit->name, true, "name", err));
    if (needs_path && (circuit->path[0] != '/' || strnlen(circuit->path, sizeof circuit->path) == sizeof circuit->path))
        FAIL(CUZK_E_INPUT, "the path of a circuit's key is absolute and of less than %zu bytes", sizeof circuit->path);
out:
    return st;
}

cuzk_status content_digest(uint8_t out[STORE_DIGEST_BYTES], const struct store_request *request,
                           const uint8_t payload_digest[STORE_DIGEST_BYTES], struct cuzk_err *err)
{
    static const uint8_t no_digest[STORE_DIGEST_BYTES];
    const char          *circuit = or_empty(request->circuit);
    const struct { const void *data; size_t bytes; } pieces[] = {
        { CONTENT_MARK, sizeof CONTENT_MARK },
        { request->kind, strlen(request->kind) + 1 },
        { circuit, strlen(circuit) + 1 },
        { request->circuit_digest ? request->circuit_digest : no_digest, STORE_DIGEST_BYTES },
        { payload_digest, STORE_DIGEST_BYTES },
    };
    uint8_t text[sizeof CONTENT_MARK + 2 * STORE_NAME_BYTES + 2 * STORE_DIGEST_BYTES];
    size_t  used = 0;

    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        memcpy(text + used, pieces[i].data, pieces[i].bytes); /* fits: request_check came before */
        used += pieces[i].bytes;
    }
    if (EVP_Digest(text, used, out, NULL, EVP_sha256(), NULL) != 1)
        return err_set(err, CUZK_E_IO, "SHA-256 of a request fails");
    return CUZK_OK;
}

void text_cut(char *out, size_t out_bytes, const char *text)
{
    size_t used = 0;

    while (text && text[used]) {
        size_t bytes = utf8_bytes(text + used);

        bytes = bytes ? bytes : 1; /* not a character: kept as it is */
        if (used + bytes >= out_bytes)
            break;
        memcpy(out + used, text + used, bytes);
        used += bytes;
    }
    out[used] = '\0';
}
