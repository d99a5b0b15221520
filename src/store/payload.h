/* store/payload.h - a payload from its first byte to its name in a place; the same for every engine. */
#ifndef CUZK_STORE_PAYLOAD_H
#define CUZK_STORE_PAYLOAD_H

#include "store/folder.h"
#include "store/store.h"

cuzk_status payload_begin(struct store_payload **out, struct folder *f, struct cuzk_err *err);

/* What a payload has become: a synced file with a name that the next folder_sync makes last. */
struct payload_file {
    enum folder_place place;
    char              name[UUID_BYTES]; /* empty: none */
    uint64_t          bytes;
    uint8_t           digest[STORE_DIGEST_BYTES]; /* SHA-256 of the bytes */
};

/* Ends the payload whatever happens (*p = NULL); the file is gone on failure.  Blocks for the disk.  Bytes of what is
 * now in PLACE_CIRCUITS are no payload's any more. */
cuzk_status payload_seal(struct payload_file *out, struct store_payload **p, enum folder_place place,
                         struct cuzk_err *err);

#endif
