#include "src/base/digest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void digest_add_text(struct sha256_ctx *hash, const char *text)
{
    sha256_update(hash, strlen(text) + 1, (const uint8_t *)text);
}

void digest_take(struct sha256_ctx *hash, char digits[DIGEST_DIGITS + 1])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
}
