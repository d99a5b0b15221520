/* store/folder.c - the state folder; open and sweep: the opener; the rest: any thread. */
#define _GNU_SOURCE 1

#include "store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/fault.h"

const char *const folder_place_name[PLACE_COUNT] = {
    [PLACE_PAYLOADS] = "payloads",
    [PLACE_CIRCUITS] = "circuits",
};

cuzk_status folder_fail(const struct folder *f, struct cuzk_err *err, const char *what, const char *name)
{
    struct err_place place = { .role = "store", .index = ERR_NONE, .offset = ERR_NONE };
    int              reason = errno;
    cuzk_status      status = reason == ENOSPC || reason == EDQUOT ? CUZK_E_BUSY : CUZK_E_IO;

    return err_set_at(err, status, &place, f->path, NULL, "%s %s: %s", what, name, strerror(reason));
}

/* ---- opening ---- */

static int open_folder(int at, const char *name)
{
    return store_fails() ? -1 : openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The name of a folder just made is on the disk when the folder above it is. */
static cuzk_status make_top(const struct folder *f, const char *path, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;
    int         above = -1;

    if (store_fails() || mkdir(path, 0700) != 0) {
        if (errno != EEXIST)
            return folder_fail(f, err, "make the folder", path);
        return CUZK_OK;
    }
    above = open_folder(AT_FDCWD, path);
    if (above >= 0) {
        int top = above;

        above = open_folder(top, "..");
        (void)close(top);
    }
    if (above < 0 || store_fails() || fsync(above) != 0)
        st = folder_fail(f, err, "sync the folder above", path);
    if (above >= 0)
        (void)close(above);
    return st;
}

static cuzk_status resolve(struct folder *f, const char *path, struct cuzk_err *err)
{
    char       *absolute = store_fails() ? NULL : realpath(path, NULL);
    cuzk_status st = CUZK_OK;
    size_t      bytes;

    if (!absolute)
        return folder_fail(f, err, "find the folder", path);
    bytes = strlen(absolute) + 1;
    if (bytes > sizeof f->path)
        st = err_set(err, CUZK_E_IO, "store: the folder's path has %zu bytes, at most %zu", bytes - 1,
                     sizeof f->path - 1);
    else
        memcpy(f->path, absolute, bytes);
    free(absolute);
    return st;
}

static cuzk_status take_lock(struct folder *f, struct cuzk_err *err)
{
    f->lock = store_fails() ? -1 : openat(f->fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (f->lock < 0)
        return folder_fail(f, err, "open", "lock");
    if (store_fails() || flock(f->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return err_set(err, CUZK_E_IO, "store: %s is in use by another daemon", f->path);
        return folder_fail(f, err, "lock", "lock");
    }
    return CUZK_OK;
}

cuzk_status folder_open(struct folder *out, const char *path, uint64_t payload_bytes_max, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    *out = (struct folder){
        .fd = -1, .lock = -1, .place = {-1, -1},
                .payload_bytes_max = payload_bytes_max
    };
    (void)snprintf(out->path, sizeof out->path, "%s", path); /* for errors until it is known */
    TRY(make_top(out, path, err));
    TRY(resolve(out, path, err));
    out->fd = open_folder(AT_FDCWD, out->path);
    if (out->fd < 0) {
        st = folder_fail(out, err, "open the folder", out->path);
        goto out;
    }
    TRY(take_lock(out, err));
    for (int i = 0; i < PLACE_COUNT; i++) {
        const char *name = folder_place_name[i];

        if (store_fails() || (mkdirat(out->fd, name, 0700) != 0 && errno != EEXIST)) {
            st = folder_fail(out, err, "make", name);
            goto out;
        }
        out->place[i] = open_folder(out->fd, name);
        if (out->place[i] < 0) {
            st = folder_fail(out, err, "open", name);
            goto out;
        }
    }
    TRY(folder_sync_top(out, err));
out:
    if (st != CUZK_OK)
        folder_close(out);
    return st;
}

void folder_close(struct folder *f)
{
    for (int i = 0; i < PLACE_COUNT; i++)
        if (f->place[i] >= 0)
            (void)close(f->place[i]);
    if (f->lock >= 0)
        (void)close(f->lock);
    if (f->fd >= 0)
        (void)close(f->fd);
}

static cuzk_status sync_fd(const struct folder *f, int fd, const char *name, struct cuzk_err *err)
{
    if (store_fails() || fsync(fd) != 0)
        return folder_fail(f, err, "sync the folder", name);
    return CUZK_OK;
}

cuzk_status folder_sync(const struct folder *f, enum folder_place place, struct cuzk_err *err)
{
    return sync_fd(f, f->place[place], folder_place_name[place], err);
}

cuzk_status folder_sync_top(const struct folder *f, struct cuzk_err *err) { return sync_fd(f, f->fd, f->path, err); }

/* ---- files ---- */

cuzk_status folder_file_bytes(uint64_t *out, const struct folder *f, enum folder_place place, const char *name,
                              struct cuzk_err *err)
{
    struct stat info;

    *out = 0;
    if (store_fails() || fstatat(f->place[place], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return folder_fail(f, err, "look at", name);
    if (!S_ISREG(info.st_mode))
        return err_set(err, CUZK_E_IO, "store: %s/%s/%s is no regular file", f->path, folder_place_name[place], name);
    *out = (uint64_t)info.st_size;
    return CUZK_OK;
}

static cuzk_status sweep_one(struct folder *f, enum folder_place place, const char *name, folder_named *named,
                             void *context, struct cuzk_err *err)
{
    cuzk_status st;
    uint64_t    bytes;
    bool        yes;

    TRY(named(context, &yes, name, err));
    if (yes && place == PLACE_PAYLOADS) {
        TRY(folder_file_bytes(&bytes, f, place, name, err));
        atomic_fetch_add(&f->payload_bytes, bytes);
    } else if (!yes && (store_fails() || unlinkat(f->place[place], name, 0) != 0)) {
        st = folder_fail(f, err, "remove", name);
    }
out:
    return st;
}

cuzk_status folder_sweep(struct folder *f, enum folder_place place, folder_named *named, void *context,
                         struct cuzk_err *err)
{
    cuzk_status    st = CUZK_OK;
    struct dirent *entry;
    DIR           *list = NULL;
    int            fd = open_folder(f->fd, folder_place_name[place]); /* of its own: closedir closes it */

    if (fd >= 0)
        list = store_fails() ? NULL : fdopendir(fd);
    if (!list) {
        st = folder_fail(f, err, "list", folder_place_name[place]);
        if (fd >= 0)
            (void)close(fd);
        return st;
    }
    for (;;) {
        errno = 0;
        entry = store_fails() ? NULL : readdir(list); // cppcheck-suppress readdirCalled ; the list is this call's own
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            TRY(sweep_one(f, place, entry->d_name, named, context, err));
    }
    if (errno)
        st = folder_fail(f, err, "list", folder_place_name[place]);
out:
    (void)closedir(list);
    return st;
}

void folder_remove(struct folder *f, enum folder_place place, const char *name)
{
    uint64_t bytes = 0;

    if (place == PLACE_PAYLOADS && folder_file_bytes(&bytes, f, place, name, NULL) != CUZK_OK)
        return;
    if (!store_fails() && unlinkat(f->place[place], name, 0) == 0)
        folder_unreserve(f, bytes);
}

bool folder_file_path(char *out, size_t out_bytes, const struct folder *f, enum folder_place place, const char *name)
{
    int n = snprintf(out, out_bytes, "%s/%s/%s", f->path, folder_place_name[place], name);

    return n >= 0 && (size_t)n < out_bytes;
}

/* ---- the budget of payload bytes ---- */

cuzk_status folder_reserve(struct folder *f, uint64_t bytes, uint64_t payload_bytes, struct cuzk_err *err)
{
    uint64_t max = f->payload_bytes_max, used = atomic_load(&f->payload_bytes), wanted;

    if (max && (bytes > max || payload_bytes > max - bytes))
        return err_set(err, CUZK_E_INPUT, "a payload of more than %" PRIu64 " bytes never fits", max);
    do {
        if (__builtin_add_overflow(used, bytes, &wanted) || (max && wanted > max))
            return err_set(err, CUZK_E_BUSY,
                           "payloads have %" PRIu64 " of %" PRIu64 " bytes: no room for %" PRIu64 " more", used, max,
                           bytes);
    } while (!atomic_compare_exchange_weak(&f->payload_bytes, &used, wanted));
    return CUZK_OK;
}

void folder_unreserve(struct folder *f, uint64_t bytes) { atomic_fetch_sub(&f->payload_bytes, bytes); }
