/* base/file.c - whole files; any thread, each map or output used by one thread at a time. */
#define _GNU_SOURCE 1 /* memfd_create, renameat2 */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hook.h"
#include "base/mem.h"

#define OUTPUTS_MAX      16 /* open at once in one process */
#define TEMP_NAME_BYTES  64
#define OUT_BUFFER_BYTES ((size_t)256 << 10)
#define TEXT_FIRST_BYTES ((size_t)64 << 10)

/* Planted: the call is not made and errno is EIO. */
static bool io_fails(void)
{
    static _Atomic uint64_t calls;

    if (!hook_fails(&calls, "CUZK_FAIL_IO"))
        return false;
    errno = EIO;
    return true;
}

static cuzk_status fail_at(struct cuzk_err *err, cuzk_status status, const char *role, const char *path,
                           const char *expected, const char *what)
{
    struct err_place place = { .role = role, .index = ERR_NONE, .offset = ERR_NONE };

    return err_set_at(err, status, &place, path, expected, "%s", what);
}

/* The failure of a system call, by errno. */
static cuzk_status fail_errno(struct cuzk_err *err, const char *role, const char *path, const char *what)
{
    struct err_place place = { .role = role, .index = ERR_NONE, .offset = ERR_NONE };
    int              reason = errno;
    cuzk_status      status = reason == ENOENT || reason == ENOTDIR ? CUZK_E_NOT_FOUND : CUZK_E_IO;

    return err_set_at(err, status, &place, path, NULL, "%s: %s", what, strerror(reason));
}

/* ---- reading ---- */

static const uint8_t empty_file[1];

static uint64_t time_ns(struct timespec t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

cuzk_status file_map_open(struct file_map *out, const char *path, const char *role, struct cuzk_err *err)
{
    struct stat info;
    void       *data;
    int         fd;
    cuzk_status st = CUZK_OK;

    *out = (struct file_map){ .data = NULL };
    fd = io_fails() ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe must not block */
    if (fd < 0 && errno == ENXIO)
        return fail_at(err, CUZK_E_INPUT, role, path, "a regular file", "is a socket or device");
    if (fd < 0)
        return fail_errno(err, role, path, "open");
    if (io_fails() || fstat(fd, &info) != 0) {
        st = fail_errno(err, role, path, "stat");
        goto out;
    }
    if (!S_ISREG(info.st_mode)) {
        st = fail_at(err, CUZK_E_INPUT, role, path, "a regular file",
                     S_ISDIR(info.st_mode) ? "is a folder" : "is a pipe, socket or device");
        goto out;
    }
    if (info.st_size > 0) {
        data = io_fails() ? MAP_FAILED : mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            st = fail_errno(err, role, path, "map");
            goto out;
        }
        out->data = data;
    } else {
        out->data = empty_file;
    }
    out->size = (size_t)info.st_size;
    out->role = role;
    out->path = path;
    out->device = info.st_dev;
    out->inode = info.st_ino;
    out->mtime_ns = time_ns(info.st_mtim);
    out->ctime_ns = time_ns(info.st_ctim);
out:
    (void)close(fd); /* the map stays */
    return st;
}

void file_map_close(struct file_map *map)
{
    if (map->data && map->data != empty_file)
        (void)munmap((void *)(uintptr_t)map->data, map->size);
    *map = (struct file_map){ .data = NULL };
}

/* One failed read or short growth ends in *out untouched and the buffer freed. */
cuzk_status file_read_text(char **out, size_t *out_bytes, const char *path, const char *role, size_t bytes_max,
                           struct cuzk_err *err)
{
    struct stat      info;
    struct err_place place = { .role = role, .index = ERR_NONE, .offset = ERR_NONE };
    size_t           used = 0, room = TEXT_FIRST_BYTES;
    char            *text = NULL, *zero;
    cuzk_status      st = CUZK_OK;
    int              fd;

    *out = NULL;
    *out_bytes = 0;
    cuzk_check(bytes_max < SIZE_MAX / 4);
    fd = io_fails() ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail_errno(err, role, path, "open");
    if (io_fails() || fstat(fd, &info) != 0) {
        st = fail_errno(err, role, path, "stat");
        goto out;
    }
    if (S_ISDIR(info.st_mode)) {
        st = fail_at(err, CUZK_E_INPUT, role, path, "a file", "is a folder");
        goto out;
    }
    if (S_ISREG(info.st_mode) && (uint64_t)info.st_size <= bytes_max)
        room = (size_t)info.st_size + 2; /* the end of the file shows in the same read; and the NUL */
    for (;;) {
        ssize_t n;

        if (!text || used + 1 == room) {
            size_t grown_room = !text ? room : room < bytes_max / 2 ? 2 * room : bytes_max + 2;
            char  *grown = mem_new(grown_room, 1);

            if (!grown) {
                st = fail_at(err, CUZK_E_IO, role, path, NULL, "no memory for the text");
                goto out;
            }
            if (text)
                memcpy(grown, text, used);
            mem_wipe_free(text, used);
            text = grown;
            room = grown_room;
        }
        n = io_fails() ? -1 : read(fd, text + used, room - used - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            st = fail_errno(err, role, path, "read");
            goto out;
        }
        if (n == 0)
            break;
        used += (size_t)n;
        if (used > bytes_max) {
            st = err_set_at(err, CUZK_E_INPUT, &place, path, NULL, "is larger than %zu bytes", bytes_max);
            goto out;
        }
    }
    zero = memchr(text, '\0', used);
    if (zero) {
        place.offset = (uint64_t)(zero - text);
        st = err_set_at(err, CUZK_E_INPUT, &place, path, "text", "holds a NUL byte");
        goto out;
    }
    text[used] = '\0';
    *out = text;
    *out_bytes = used;
    text = NULL;
out:
    mem_wipe_free(text, used);
    (void)close(fd);
    return st;
}

/* ---- writing ----
 *
 * open     .cuzk-<pid>-<random> in the target's folder, O_EXCL
 * write    through a buffer into it
 * sync     flush, fsync
 * commit   the target exists: exchange the two names, so that the old file can be put back; else rename without
 *          replacing.  fsync of the folder.  Only when all files of the commit are in place are old files removed.
 *
 * A target that cannot be replaced (pipe, terminal, device, /dev/stdout) gets the bytes at commit, from an anonymous
 * file in memory. */

struct file_out {
    int      fd;     /* the temporary or the memory file */
    int      folder; /* -1: direct */
    bool     direct, synced;
    enum { UNPLACED, PLACED_NEW, PLACED_OVER, PLACED_LOST /* replaced by a plain rename: no way back */ } placed;
    size_t   slot;   /* in temporaries */
    uint64_t pos;    /* of the next append, buffered bytes included */
    size_t   buffered;
    char    *path;
    const char *name;                /* of the target within its folder, in path */
    char     temp[TEMP_NAME_BYTES];
    uint8_t  buffer[OUT_BUFFER_BYTES];
};

/* Temporaries of this process, for file_out_remove_all in a signal handler.  A slot's name is written before its
 * folder, and read after. */
static struct {
    _Atomic int state; /* 0 free, 1 taken, folder + 2: to be removed */
    char        name[TEMP_NAME_BYTES];
} temporaries[OUTPUTS_MAX];

static size_t temporary_take(const char *name)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++) {
        int none = 0;

        if (atomic_compare_exchange_strong(&temporaries[i].state, &none, 1)) {
            memcpy(temporaries[i].name, name, TEMP_NAME_BYTES);
            return i;
        }
    }
    return OUTPUTS_MAX;
}

void file_out_remove_all(void)
{
    for (size_t i = 0; i < OUTPUTS_MAX; i++) {
        int state = atomic_load(&temporaries[i].state);

        if (state >= 2)
            (void)unlinkat(state - 2, temporaries[i].name, 0);
    }
}

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* True if the bytes must go into what stands under this name instead of replacing it.  /dev/stdout may lead to a
 * regular file, and still the link must stay. */
static bool target_is_direct(const char *path)
{
    struct stat info;

    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 || has_prefix(path, "/dev/fd/") ||
        has_prefix(path, "/proc/"))
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static cuzk_status temporary_open(struct file_out *f, struct cuzk_err *err)
{
    char       *slash = strrchr(f->path, '/');
    const char *folder = "";
    struct stat info;

    if (slash) {
        f->name = slash + 1;
        *slash = '\0';
        folder = f->path;
    }
    f->folder = io_fails() ? -1 : open(!slash ? "." : folder[0] ? folder : "/",
                                       O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (slash)
        *slash = '/';
    if (f->folder < 0)
        return fail_errno(err, NULL, f->path, "open the folder");
    if (!f->name[0] || strcmp(f->name, ".") == 0 || strcmp(f->name, "..") == 0 ||
        (fstatat(f->folder, f->name, &info, 0) == 0 && S_ISDIR(info.st_mode)))
        return fail_at(err, CUZK_E_INPUT, NULL, f->path, "a file name", "is a folder");
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t random;

        random_bytes(&random, sizeof random);
        (void)snprintf(f->temp, sizeof f->temp, ".cuzk-%ld-%016" PRIx64, (long)getpid(), random);
        f->fd = io_fails() ? -1 : openat(f->folder, f->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (f->fd >= 0 || errno != EEXIST)
            break;
    }
    if (f->fd < 0) {
        f->temp[0] = '\0';
        return fail_errno(err, NULL, f->path, "create a temporary file in its folder");
    }
    f->slot = temporary_take(f->temp);
    if (f->slot < OUTPUTS_MAX)
        atomic_store(&temporaries[f->slot].state, f->folder + 2);
    return CUZK_OK;
}

cuzk_status file_out_open(struct file_out **out, const char *path, struct cuzk_err *err)
{
    struct file_out *f = mem_new(1, sizeof *f);
    cuzk_status      st = CUZK_OK;
    size_t           bytes = strlen(path) + 1;

    *out = NULL;
    if (!f)
        FAIL(CUZK_E_IO, "no memory to write %s", path);
    f->fd = f->folder = -1;
    f->slot = OUTPUTS_MAX;
    f->path = mem_new(bytes, 1);
    if (!f->path)
        FAIL(CUZK_E_IO, "no memory to write %s", path);
    memcpy(f->path, path, bytes);
    f->name = f->path;
    if (bytes == 1) {
        st = fail_at(err, CUZK_E_INPUT, NULL, path, "a file name", "an output has an empty name");
        goto out;
    }
    f->direct = target_is_direct(path);
    if (f->direct) {
        f->fd = io_fails() ? -1 : memfd_create("cuzk", MFD_CLOEXEC);
        if (f->fd < 0) {
            st = fail_errno(err, NULL, path, "create a file in memory");
            goto out;
        }
    } else {
        TRY(temporary_open(f, err));
    }
    *out = f;
    f = NULL;
out:
    file_out_abandon(&f);
    return st;
}

static cuzk_status write_all_at(struct file_out *f, uint64_t offset, const void *data, size_t bytes,
                                struct cuzk_err *err)
{
    const uint8_t *next = data;

    if (offset > INT64_MAX || bytes > (uint64_t)INT64_MAX - offset)
        return fail_at(err, CUZK_E_IO, NULL, f->path, NULL, "is too large to be a file");
    while (bytes) {
        ssize_t n = io_fails() ? -1 : pwrite(f->fd, next, bytes, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_errno(err, NULL, f->path, "write");
        next += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return CUZK_OK;
}

static cuzk_status flush(struct file_out *f, struct cuzk_err *err)
{
    size_t bytes = f->buffered;

    f->buffered = 0;
    return write_all_at(f, f->pos - bytes, f->buffer, bytes, err);
}

cuzk_status file_out_write(struct file_out *f, const void *data, size_t bytes, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    cuzk_check(f->placed == UNPLACED);
    f->synced = false;
    if (bytes > OUT_BUFFER_BYTES - f->buffered)
        TRY(flush(f, err));
    if (bytes >= OUT_BUFFER_BYTES) {
        TRY(write_all_at(f, f->pos, data, bytes, err));
    } else if (bytes) {
        memcpy(f->buffer + f->buffered, data, bytes);
        f->buffered += bytes;
    }
    f->pos += bytes;
out:
    return st;
}

cuzk_status file_out_write_at(struct file_out *f, uint64_t offset, const void *data, size_t bytes,
                              struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    cuzk_check(f->placed == UNPLACED);
    f->synced = false;
    TRY(flush(f, err));
    TRY(write_all_at(f, offset, data, bytes, err));
out:
    return st;
}

uint64_t file_out_tell(const struct file_out *f)
{
    return f->pos;
}

cuzk_status file_out_sync(struct file_out *f, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;

    if (f->synced)
        return CUZK_OK;
    TRY(flush(f, err));
    if (!f->direct && (io_fails() || fsync(f->fd) != 0)) {
        st = fail_errno(err, NULL, f->path, "sync");
        goto out;
    }
    f->synced = true;
out:
    return st;
}

/* The bytes of the memory file into the target. */
static cuzk_status place_direct(struct file_out *f, struct cuzk_err *err)
{
    uint8_t    *buffer = f->buffer; /* empty after the sync */
    off_t       offset = 0;
    cuzk_status st = CUZK_OK;
    int         fd;

    if (io_fails())
        fd = -1;
    else if (strcmp(f->path, "/dev/stdout") == 0)
        fd = dup(STDOUT_FILENO); /* opened anew, a redirected file would be written from its start */
    else if (strcmp(f->path, "/dev/stderr") == 0)
        fd = dup(STDERR_FILENO);
    else
        fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail_errno(err, NULL, f->path, "open");
    for (;;) {
        ssize_t got = io_fails() ? -1 : pread(f->fd, buffer, OUT_BUFFER_BYTES, offset), put = 0;

        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            break;
        while (got > 0 && put < got) {
            ssize_t n = io_fails() ? -1 : write(fd, buffer + put, (size_t)(got - put));

            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                got = -1;
            else
                put += n;
        }
        if (got < 0) {
            st = fail_errno(err, NULL, f->path, "write");
            break;
        }
        offset += got;
    }
    if (close(fd) != 0 && st == CUZK_OK)
        st = fail_errno(err, NULL, f->path, "close");
    if (st == CUZK_OK)
        f->placed = PLACED_LOST;
    return st;
}

/* The temporary under the target's name; the old file, if any, under the temporary's name. */
static cuzk_status place(struct file_out *f, struct cuzk_err *err)
{
    if (f->direct)
        return place_direct(f, err);
    if (io_fails())
        return fail_errno(err, NULL, f->path, "rename");
    if (renameat2(f->folder, f->temp, f->folder, f->name, RENAME_NOREPLACE) == 0) {
        f->placed = PLACED_NEW;
    } else if (errno == EEXIST && renameat2(f->folder, f->temp, f->folder, f->name, RENAME_EXCHANGE) == 0) {
        f->placed = PLACED_OVER;
    } else if (errno == EINVAL || errno == ENOSYS || errno == ENOENT) {
        /* A file system without these, or the old file went away between the two. */
        if (renameat(f->folder, f->temp, f->folder, f->name) != 0)
            return fail_errno(err, NULL, f->path, "rename");
        f->placed = PLACED_LOST;
    } else {
        return fail_errno(err, NULL, f->path, "rename");
    }
    if (f->placed != PLACED_OVER && f->slot < OUTPUTS_MAX) { /* nothing stands under the temporary's name */
        atomic_store(&temporaries[f->slot].state, 0);
        f->slot = OUTPUTS_MAX;
    }
    /* Some file systems cannot sync a folder and say EINVAL; they have no better way. */
    if (io_fails() || (fsync(f->folder) != 0 && errno != EINVAL))
        return fail_errno(err, NULL, f->path, "sync the folder");
    return CUZK_OK;
}

static void unplace(struct file_out *f)
{
    if (f->placed == PLACED_NEW) {
        (void)unlinkat(f->folder, f->name, 0);
        f->temp[0] = '\0';
    } else if (f->placed == PLACED_OVER) {
        (void)renameat2(f->folder, f->temp, f->folder, f->name, RENAME_EXCHANGE);
    }
    if (!f->direct && f->placed != UNPLACED)
        (void)fsync(f->folder);
}

cuzk_status file_out_commit_all(struct file_out **files, size_t count, struct cuzk_err *err)
{
    cuzk_status st = CUZK_OK;
    size_t      placed = 0;

    for (size_t i = 0; i < count; i++)
        TRY(file_out_sync(files[i], err));
    for (; placed < count; placed++) {
        st = place(files[placed], err);
        if (st != CUZK_OK) {
            for (size_t i = placed + 1; i-- > 0;)
                unplace(files[i]);
            goto out;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (files[i]->placed != PLACED_OVER)
            files[i]->temp[0] = '\0';
out:
    for (size_t i = 0; i < count; i++)
        file_out_abandon(&files[i]); /* removes what stands under the temporary's name: new on failure, else old */
    return st;
}

cuzk_status file_out_commit(struct file_out **f, struct cuzk_err *err)
{
    return file_out_commit_all(f, 1, err);
}

void file_out_abandon(struct file_out **out)
{
    struct file_out *f = *out;

    *out = NULL;
    if (!f)
        return;
    if (f->temp[0])
        (void)unlinkat(f->folder, f->temp, 0);
    if (f->slot < OUTPUTS_MAX)
        atomic_store(&temporaries[f->slot].state, 0);
    if (f->fd >= 0)
        (void)close(f->fd);
    if (f->folder >= 0)
        (void)close(f->folder);
    mem_free(f->path);
    mem_wipe_free(f, sizeof *f);
}

/* ---- faults in maps ---- */

static void on_sigbus(int signal_number, siginfo_t *info, void *context)
{
    static const char text[] = "cuzk: a file shrank or could not be read while it was in use\n";
    ssize_t           written;

    (void)context;
    if (info->si_code != BUS_ADRERR) { /* not a page of a map: let it happen again, unhandled */
        (void)signal(signal_number, SIG_DFL);
        return;
    }
    file_out_remove_all();
    written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(CUZK_E_IO);
}

void file_map_guard(void)
{
    struct sigaction action = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
}
