/* store/content.h - the checks and the digest of a request; the same for every engine. */
#ifndef CUZK_STORE_CONTENT_H
#define CUZK_STORE_CONTENT_H

#include "store/store.h"

/* INPUT unless the names of the request are UTF-8 and short enough, there is a kind, and the numbers are in range. */
cuzk_status request_check(const struct store_request *request, struct cuzk_err *err);

/* The same for a circuit; with an absolute path if needs_path. */
cuzk_status circuit_check(const struct store_circuit *circuit, bool needs_path, struct cuzk_err *err);

/* What makes two requests the same: SHA-256 of
 *
 *   "cuzk content 1" NUL | kind NUL | circuit NUL | circuit digest or 32 zero bytes | payload's SHA-256
 *
 * which is unambiguous, as a name holds no NUL and all else is of fixed size.  The payload stands for itself by its
 * digest, made while it arrived: names are known only later. */
cuzk_status content_digest(uint8_t out[STORE_DIGEST_BYTES], const struct store_request *request,
                           const uint8_t payload_digest[STORE_DIGEST_BYTES], struct cuzk_err *err);

/* text cut to less than out_bytes, between two characters; NULL is empty. */
void text_cut(char *out, size_t out_bytes, const char *text);

#endif
