/*
 * SHA-256 (FIPS 180-4) of texts, as hexadecimal text, as sha256sum prints it. Computed by nettle, a small library
 * without global state that uses the host CPU's SHA instructions if available.
 */
#ifndef SIMOS_BASE_DIGEST_H
#define SIMOS_BASE_DIGEST_H

#include <nettle/sha2.h>

enum { DIGEST_DIGITS = 2 * SHA256_DIGEST_SIZE };

/* Add TEXT and its NUL, so that the boundaries between texts are part of the digest. */
void digest_add_text(struct sha256_ctx *hash, const char *text);

/* Write the digest of what was added since sha256_init() to DIGITS, lower case; HASH is then as after sha256_init(). */
void digest_take(struct sha256_ctx *hash, char digits[DIGEST_DIGITS + 1]);

#endif
