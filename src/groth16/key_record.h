/* groth16/key_record.h - which key files have passed the point check: empty files in the user's cache folder,
 * ${XDG_CACHE_HOME:-$HOME/.cache}/cuzk.
 *
 * Two a key: "id-" with the SHA-256 of its identity (device, inode, size, mtime, ctime), and "key-" with the digest of its
 * bytes (SHA-256 over the SHA-256 of each 4 MiB).  A key whose identity is on record needs no reading; else its digest is
 * computed and looked up (a copy, a touched file).  Records that somebody else could have made (folder or file of another
 * owner, or writable by others) are not believed. */
#ifndef CUZK_GROTH16_KEY_RECORD_H
#define CUZK_GROTH16_KEY_RECORD_H

#include "base/file.h"
#include "base/pool.h"

struct key_record {
    char folder[512];   /* empty: no cache, nothing is kept */
    char identity[72];  /* names of the two records */
    char digest[72];
};

/* True if this file has passed before.  Else *out is what key_record_keep takes after the check. */
bool key_record_find(struct key_record *out, const struct file_map *map, struct pool *pool);
/* Failures are silent: the next use checks again. */
void key_record_keep(const struct key_record *record);

#endif
