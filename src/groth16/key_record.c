/* groth16/key_record.c - remembering keys whose points were checked. */
#include "groth16/key_record.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"

#define LEAF_BYTES   ((size_t)4 << 20)
#define DIGEST_BYTES 32

static void sha256(uint8_t out[DIGEST_BYTES], const void *data, size_t bytes)
{
    cuzk_check(EVP_Digest(data, bytes, out, NULL, EVP_sha256(), NULL) == 1);
}

static void record_name(char out[72], const char *kind, const uint8_t digest[DIGEST_BYTES])
{
    int n = snprintf(out, 72, "%s-", kind);

    for (size_t i = 0; i < DIGEST_BYTES; i++)
        n += snprintf(out + n, 72 - (size_t)n, "%02x", digest[i]);
}

struct leaves { const struct file_map *map; uint8_t *digest; };

static void hash_leaf(void *context, size_t task, size_t worker)
{
    const struct leaves *l = context;
    size_t begin = task * LEAF_BYTES, left = l->map->size - begin;

    (void)worker;
    sha256(l->digest + task * DIGEST_BYTES, l->map->data + begin, left < LEAF_BYTES ? left : LEAF_BYTES);
}

/* False when memory is short. */
static bool file_digest(uint8_t out[DIGEST_BYTES], const struct file_map *map, struct pool *pool)
{
    size_t count = (map->size + LEAF_BYTES - 1) / LEAF_BYTES;
    struct leaves l = { map, mem_new(count, DIGEST_BYTES) };

    if (l.digest == NULL)
        return false;
    pool_run(pool, count, hash_leaf, &l);
    sha256(out, l.digest, count * DIGEST_BYTES);
    mem_free(l.digest);
    return true;
}

static bool is_private(const struct stat *s) { return s->st_uid == geteuid() && (s->st_mode & 022) == 0; }

/* The cache folder, made if need be; empty if there is none that only this user can write. */
static void find_folder(char out[512])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat s;
    int n;

    out[0] = '\0';
    if (cache != NULL && cache[0] == '/') {
        n = snprintf(out, 512, "%s", cache);
    } else if (home != NULL && home[0] == '/') {
        n = snprintf(out, 512, "%s/.cache", home);
    } else {
        return;
    }
    if (n > 480) {
        out[0] = '\0';
        return;
    }
    (void)mkdir(out, 0700);
    (void)snprintf(out + n, 512 - (size_t)n, "/cuzk");
    (void)mkdir(out, 0700);
    if (lstat(out, &s) != 0 || !S_ISDIR(s.st_mode) || !is_private(&s))
        out[0] = '\0';
}

static void record_path(char out[600], const struct key_record *r, const char *name)
{
    (void)snprintf(out, 600, "%s/%s", r->folder, name);
}

static bool record_exists(const struct key_record *r, const char *name)
{
    char path[600];
    struct stat s;

    record_path(path, r, name);
    return lstat(path, &s) == 0 && S_ISREG(s.st_mode) && is_private(&s);
}

static void record_make(const struct key_record *r, const char *name)
{
    char path[600];
    int fd;

    record_path(path, r, name);
    fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)close(fd);
}

bool key_record_find(struct key_record *out, const struct file_map *map, struct pool *pool)
{
    const uint64_t identity[] = { map->device, map->inode, map->size, map->mtime_ns, map->ctime_ns };
    uint8_t digest[DIGEST_BYTES];

    find_folder(out->folder);
    if (out->folder[0] == '\0')
        return false;
    sha256(digest, identity, sizeof identity);
    record_name(out->identity, "id", digest);
    if (record_exists(out, out->identity))
        return true;
    if (!file_digest(digest, map, pool)) {
        out->folder[0] = '\0';
        return false;
    }
    record_name(out->digest, "key", digest);
    if (!record_exists(out, out->digest))
        return false;
    record_make(out, out->identity);
    return true;
}

void key_record_keep(const struct key_record *record)
{
    if (record->folder[0] == '\0')
        return;
    record_make(record, record->digest);
    record_make(record, record->identity);
}
