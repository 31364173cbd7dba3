#ifndef CDIGEST_H
#define CDIGEST_H

#include <stddef.h>
#include <stdint.h>

/// Runs the compression function of SHA-256 (FIPS 180-4, section 6.2.2) over `count` blocks of 64
/// bytes. It uses the processor's instructions for SHA-256 if there are any; a gigabyte then takes
/// about half a second.
void cd_sha256(uint32_t state[8], const uint8_t *blocks, size_t count);

/// Does the same as `cd_sha256`, but without special instructions, for tests.
void cd_sha256_portable(uint32_t state[8], const uint8_t *blocks, size_t count);

#endif
