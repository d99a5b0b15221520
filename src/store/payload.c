/* store/payload.c - payload files; any thread, one thread a payload.
 *
 *   begin   payloads/NAME.part, O_EXCL
 *   write   bytes and digest; the budget first
 *   seal    fdatasync, rename to PLACE/NAME; the store thread syncs the folder before the row, once for many */
#define _GNU_SOURCE 1

#include "store/payload.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/fault.h"

#define PART_SUFFIX ".part"

struct store_payload {
    struct folder  *folder;
    int             fd;
    EVP_MD_CTX     *digest;
    uint64_t        bytes;
    struct cuzk_err failed; /* of a write: what has arrived is not all */
    char            name[UUID_BYTES];
    char            part[UUID_BYTES + sizeof PART_SUFFIX];
};

static int64_t wall_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

cuzk_status payload_begin(struct store_payload **out, struct folder *f, struct cuzk_err *err)
{
    struct store_payload *p = mem_new(1, sizeof *p);
    cuzk_status           st = CUZK_OK;

    *out = NULL;
    if (!p)
        return err_set(err, CUZK_E_IO, "no memory for a payload");
    p->folder = f;
    p->fd = -1;
    atomic_fetch_add(&f->payloads_open, 1);
    p->digest = EVP_MD_CTX_new();
    if (!p->digest || EVP_DigestInit_ex(p->digest, EVP_sha256(), NULL) != 1)
        FAIL(CUZK_E_IO, "no memory for a payload's digest");
    uuid_v7(p->name, wall_ms());
    (void)snprintf(p->part, sizeof p->part, "%s%s", p->name, PART_SUFFIX);
    p->fd = store_fails()
                ? -1
                : openat(f->place[PLACE_PAYLOADS], p->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (p->fd < 0) {
        st = folder_fail(f, err, "create", p->part);
        goto out;
    }
    *out = p;
    p = NULL;
out:
    store_payload_abandon(&p);
    return st;
}

static cuzk_status write_all(struct store_payload *p, const uint8_t *data, size_t bytes, struct cuzk_err *err)
{
    while (bytes) {
        ssize_t n = store_fails() ? -1 : write(p->fd, data, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return folder_fail(p->folder, err, "write", p->part);
        data += n;
        bytes -= (size_t)n;
    }
    return CUZK_OK;
}

cuzk_status store_payload_write(struct store_payload *p, const void *data, size_t bytes, struct cuzk_err *err)
{
    cuzk_status st = p->failed.status;

    if (st != CUZK_OK)
        goto out;
    TRY(folder_reserve(p->folder, bytes, p->bytes, &p->failed));
    p->bytes += bytes;
    TRY(write_all(p, data, bytes, &p->failed));
    if (EVP_DigestUpdate(p->digest, data, bytes) != 1)
        st = err_set(&p->failed, CUZK_E_IO, "SHA-256 of a payload fails");
out:
    if (st != CUZK_OK && err)
        *err = p->failed;
    return st;
}

uint64_t store_payload_bytes(const struct store_payload *p) { return p->bytes; }

static void payload_free(struct store_payload **payload)
{
    struct store_payload *p = *payload;

    *payload = NULL;
    EVP_MD_CTX_free(p->digest);
    if (p->fd >= 0)
        (void)close(p->fd);
    atomic_fetch_sub(&p->folder->payloads_open, 1);
    mem_free(p);
}

void store_payload_abandon(struct store_payload **payload)
{
    struct store_payload *p = *payload;

    if (!p)
        return;
    if (p->fd >= 0 && !store_fails())
        (void)unlinkat(p->folder->place[PLACE_PAYLOADS], p->part, 0);
    folder_unreserve(p->folder, p->bytes);
    payload_free(payload);
}

cuzk_status payload_seal(struct payload_file *out, struct store_payload **payload, enum folder_place place,
                         struct cuzk_err *err)
{
    struct store_payload *p = *payload;
    struct folder        *f = p->folder;
    cuzk_status           st = p->failed.status;

    *out = (struct payload_file){ .place = place, .bytes = p->bytes };
    if (st != CUZK_OK) {
        if (err)
            *err = p->failed;
        goto out;
    }
    if (EVP_DigestFinal_ex(p->digest, out->digest, NULL) != 1)
        FAIL(CUZK_E_IO, "SHA-256 of a payload fails");
    if (store_fails() || fdatasync(p->fd) != 0) {
        st = folder_fail(f, err, "sync", p->part);
        goto out;
    }
    if (store_fails() || renameat(f->place[PLACE_PAYLOADS], p->part, f->place[place], p->name) != 0) {
        st = folder_fail(f, err, "rename", p->part);
        goto out;
    }
    memcpy(out->name, p->name, sizeof out->name);
    if (place != PLACE_PAYLOADS)
        folder_unreserve(f, p->bytes);
    payload_free(payload);
out:
    store_payload_abandon(payload);
    return st;
}
