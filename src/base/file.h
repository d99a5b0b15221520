/* base/file.h - whole files: mapped for reading, written atomically. */
#ifndef CUZK_BASE_FILE_H
#define CUZK_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A read-only private map of a regular file.  role and path go into errors and must outlive the map. */
struct file_map {
    const uint8_t *data; /* never NULL once open; size 0 maps to a static byte */
    size_t         size;
    const char    *role;
    const char    *path;
    uint64_t       device, inode, mtime_ns, ctime_ns; /* identity of what was opened */
};

/* Fails NOT_FOUND if absent, IO otherwise; a folder, pipe or device is INPUT.  *out is empty on failure. */
cuzk_status file_map_open(struct file_map *out, const char *path, const char *role, struct cuzk_err *err);
void        file_map_close(struct file_map *map); /* an empty map is nothing */

/* Makes a failure to read mapped pages (file shortened by someone else, I/O error) end the process with status 9 and
 * a line on stderr instead of a SIGBUS. */
void file_map_guard(void);

/* A file that appears under its name only when committed: temporary name in the same folder, mode 0644 less umask,
 * fsync, rename, fsync of the folder.  Until then the old file, if any, is untouched. */
struct file_out;
cuzk_status file_out_open(struct file_out **out, const char *path, struct cuzk_err *err);
cuzk_status file_out_write(struct file_out *f, const void *data, size_t bytes, struct cuzk_err *err); /* appends */
cuzk_status file_out_write_at(struct file_out *f, uint64_t offset, const void *data, size_t bytes,
                              struct cuzk_err *err);
uint64_t    file_out_tell(const struct file_out *f); /* where file_out_write goes next */

/* Commits in two steps so that several files can appear together: sync all first, then rename all. */
cuzk_status file_out_sync(struct file_out *f, struct cuzk_err *err);
cuzk_status file_out_commit(struct file_out **f, struct cuzk_err *err); /* sync if need be, rename; *f = NULL always */
void        file_out_abandon(struct file_out **f);                     /* removes the temporary; *f = NULL */

/* Several at once: all synced, all renamed, or, when one fails, all as before (except what a pipe or device has had).
 * Each files[i] = NULL always. */
cuzk_status file_out_commit_all(struct file_out **files, size_t count, struct cuzk_err *err);

/* Removes the temporaries of all open outputs: for a signal handler that is about to end the process. */
void file_out_remove_all(void);

/* bytes of a small file as a NUL-terminated heap string (mem_free); INPUT if it is larger than bytes_max. */
cuzk_status file_read_text(char **out, size_t *out_bytes, const char *path, const char *role, size_t bytes_max,
                           struct cuzk_err *err);

#endif
