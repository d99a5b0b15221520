/* store/folder.h - the state folder: its lock and the files in it, by place and name; the same for every engine.
 *
 *   lock               held while the store is open
 *   store.db*          the engine's
 *   payloads/NAME      an unfinished job's payload; NAME.part while it arrives
 *   circuits/NAME      a key that arrived as a payload
 *
 * NAME is a UUID of its own, so that no text from outside becomes a path.  A file that no row names goes at the next
 * open. */
#ifndef CUZK_STORE_FOLDER_H
#define CUZK_STORE_FOLDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/uuid.h"

#define FOLDER_PATH_BYTES 960 /* leaves room for place and name in store_circuit.path */

enum folder_place { PLACE_PAYLOADS, PLACE_CIRCUITS, PLACE_COUNT };
extern const char *const folder_place_name[PLACE_COUNT];

struct folder {
    char             path[FOLDER_PATH_BYTES]; /* absolute */
    int              fd, lock, place[PLACE_COUNT];
    uint64_t         payload_bytes_max;       /* 0: what the disk has */
    _Atomic uint64_t payload_bytes;           /* in PLACE_PAYLOADS, or about to be written there */
    _Atomic uint64_t payloads_open;           /* begun and not yet sealed or abandoned */
};

/* Makes the folder and its places if absent, mode 0700.  IO if another store holds the lock. */
cuzk_status folder_open(struct folder *out, const char *path, uint64_t payload_bytes_max, struct cuzk_err *err);
void        folder_close(struct folder *f);

/* The names in a place are on the disk. */
cuzk_status folder_sync(const struct folder *f, enum folder_place place, struct cuzk_err *err);
/* The folder's own names, such as the database's. */
cuzk_status folder_sync_top(const struct folder *f, struct cuzk_err *err);

/* Removes the files of a place for which named(context, &yes, name) says no; counts the bytes of the other payloads. */
typedef cuzk_status folder_named(void *context, bool *yes, const char *name, struct cuzk_err *err);
cuzk_status folder_sweep(struct folder *f, enum folder_place place, folder_named *named, void *context,
                         struct cuzk_err *err);

/* Removes a file, if it can: what stays goes at the next open. */
void        folder_remove(struct folder *f, enum folder_place place, const char *name);
cuzk_status folder_file_bytes(uint64_t *out, const struct folder *f, enum folder_place place, const char *name,
                              struct cuzk_err *err);

/* False if out is too small. */
bool folder_file_path(char *out, size_t out_bytes, const struct folder *f, enum folder_place place, const char *name);

/* BUSY if payloads with so many more bytes would be too much, INPUT if they never fit. */
cuzk_status folder_reserve(struct folder *f, uint64_t bytes, uint64_t payload_bytes, struct cuzk_err *err);
void        folder_unreserve(struct folder *f, uint64_t bytes);

/* The failure of a system call, by errno: BUSY for a full disk, else IO. */
cuzk_status folder_fail(const struct folder *f, struct cuzk_err *err, const char *what, const char *name);

#endif
