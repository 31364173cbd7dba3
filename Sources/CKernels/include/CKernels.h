#ifndef CKERNELS_H
#define CKERNELS_H

#include <stddef.h>
#include <stdint.h>

// The arithmetic of a transformer, in one fixed order.
//
// Every function with a `ck_instruction_set` parameter is compiled once per instruction set, and
// gives the same bits with all of them. The instruction sets share the source code, except that
// AVX2 and AVX-512 have separate products with quantized weights. Three rules ensure that the bits
// are the same:
//
//  * A sum of products with float weights is kept in 16 float lanes, element i in lane i % 16. At
//    the end, the lanes are folded to 8, 4, 2 and 1. With quantized weights, the products of a
//    block (32 elements, or 16 if the type has a scale for every 16) are summed exactly as
//    integers, and the blocks are added one after the other.
//  * A multiplication followed by an addition is fused only if the source says so.
//  * exp is a polynomial in this module, not the C library's function.
//
// These functions trust all sizes. The caller has checked them against the file.

typedef enum ck_instruction_set {
  CK_SCALAR = 0,
  CK_AVX2 = 1,
  CK_AVX512 = 2,
  CK_NEON = 3,
} ck_instruction_set;

/// Returns whether this machine supports an instruction set.
int ck_is_supported(ck_instruction_set set);

/// Returns the fastest instruction set of this machine.
ck_instruction_set ck_best(void);

/// The storage format of a weight matrix, with the numbers of the GGUF format.
typedef enum ck_type {
  CK_F32 = 0,
  CK_F16 = 1,
  CK_Q4_0 = 2,
  CK_Q4_1 = 3,
  CK_Q5_0 = 6,
  CK_Q5_1 = 7,
  CK_Q8_0 = 8,
  CK_Q2_K = 10,
  CK_Q3_K = 11,
  CK_Q4_K = 12,
  CK_Q5_K = 13,
  CK_Q6_K = 14,
  CK_IQ4_NL = 20,
  CK_IQ4_XS = 23,
  CK_BF16 = 30,
} ck_type;

/// Returns the number of bytes in a row of `count` elements.
size_t ck_row_size(ck_type type, size_t count);

/// Returns whether products with a type take 8-bit activations (`ck_quantize`) instead of floats.
int ck_takes_quantized(ck_type type);

/// The number of bytes of working memory for each block of 32 elements. The memory contains packed
/// rows with their scales, or the activations of 16 columns.
#define CK_PACK 1024

/// The number of rows that are unpacked at a time.
#define CK_ROWS 16

/// The number of columns that products compute together. The memory for activations, except
/// `values`, must have room for a multiple of this number of columns. The contents of the
/// additional columns don't matter.
#define CK_COLUMNS 8

/// The activations of one matrix product: `batch` columns of `length` values.
typedef struct ck_columns {
  const float *values;          // [batch][length]
  const int8_t *quants;         // [batch][length]
  const float *scales;          // [batch][length / 32]
  const float *sums;            // [batch][length / 32], sums of scales[i / 32] * quants[i]
  const float *half_sums;       // [batch][length / 16], the same for each half
  const int32_t *offsets;       // [batch][length / 32], sums of -128 * quants[i]
  const int32_t *half_offsets;  // [batch][length / 16], the same for each half
  uint8_t *row_quants;          // working memory: CK_ROWS * (length / 32 * 34) bytes
  float *row_scales;            // working memory: 4 * CK_ROWS * (length / 16 + 3) floats
  void *pack;                   // working memory: length / 32 * CK_PACK bytes, at a multiple of 64
  int32_t length;
  int32_t batch;
} ck_columns;

/// Multiplies a matrix by columns: y[b][r] = sum over i of w[r][i] x[b][i].
void ck_matmul(ck_instruction_set set, ck_type type, const void *weights, int32_t rows,
               const ck_columns *columns, float *y, size_t y_stride);

/// Rounds values to 8 bits with one scale per 32 values, so that x[i] is about scales[i / 32] *
/// quants[i]. Also computes the sums and offsets that `ck_columns` describes.
void ck_quantize(ck_instruction_set set, const float *x, size_t count, int8_t *quants,
                 float *scales, float *sums, float *half_sums, int32_t *offsets,
                 int32_t *half_offsets);

/// Converts one row of a matrix to floats. `quants` and `scales` are working memory, as large as
/// the working memory in `ck_columns` for one row.
void ck_dequantize(ck_type type, const void *row, size_t count, int8_t *quants, float *scales,
                   float *y);

/// Computes y = x / rms(x) * weight for each of `batch` columns. y may be x.
void ck_rms_norm(ck_instruction_set set, const float *x, const float *weight, int32_t length,
                 int32_t batch, float epsilon, float *y);

/// Rotates the pairs of a head by the angles of its position. If `split` is true, element i is
/// paired with element i + count / 2. Otherwise, element 2i is paired with element 2i + 1.
void ck_rotate(float *head, const float *cosines, const float *sines, int32_t count, int split);

/// The number of positions whose keys and values are stored together, in a *page*.
///
/// For each head, a page has the keys as [length][CK_PAGE] and the values as [CK_PAGE][length]. The
/// elements are halves or floats.
#define CK_PAGE 32

/// Stores the key and the value of one head at place `place` of a page. `keys` and `values` are the
/// head's keys and values in the page. Halves are rounded to nearest. Values, and keys if they are
/// halves, become finite: infinities become the largest number, and NaN becomes a number.
void ck_store_position(ck_instruction_set set, const float *key, const float *value, void *keys,
                       void *values, int32_t place, int32_t length, int halves);

/// A position whose queries read the keys and values of this position and of earlier positions.
typedef struct ck_reader {
  const float *query;        // [heads][length]
  float *y;                  // [heads][length]
  const void *const *pages;  // position t is in page t / CK_PAGE
  int32_t positions;         // the number of positions, including its own
  int32_t skipped;           // the number of leading positions to ignore, fewer than positions
} ck_reader;

/// For each of `count` readers, computes the attention of the query heads, which share their keys
/// and values. The keys begin at element `keys` of each page, and the values at element `values`.
/// All values of a page are finite, even those at places that are not in use. `scores` has room
/// for `stride` floats per head and reader. `stride` is at least the largest number of positions
/// plus CK_PAGE. `sums` has room for 2 * length + 1 floats per head and reader.
void ck_attention(ck_instruction_set set, const ck_reader *readers, int32_t count, int32_t heads,
                  size_t keys, size_t values, int32_t length, float scale, size_t stride,
                  float *scores, float *sums, int halves);

/// gate[i] = silu(gate[i]) * up[i].
void ck_gated_silu(ck_instruction_set set, float *gate, const float *up, size_t count);

/// gate[i] = gelu(gate[i]) * up[i], with GELU in its tanh form.
void ck_gated_gelu(ck_instruction_set set, float *gate, const float *up, size_t count);

/// x[i] = cap * tanh(x[i] / cap).
void ck_soft_cap(ck_instruction_set set, float *x, size_t count, float cap);

/// x[i] += y[i].
void ck_add(float *x, const float *y, size_t count);

// MARK: Probabilities of a vocabulary
//
// `legal` has one bit for each token, and 64 bits in a word, with the lowest bit first.

/// The number of tokens in a stretch of a vocabulary.
#define CK_STRETCH 1024

/// Returns the largest logit. NaN is ignored. If there are no other logits, the result is minus
/// infinity. `of_legal` receives the largest logit of the legal tokens. `peaks` and `legal_peaks`
/// receive the same numbers for each stretch.
float ck_largest_logits(ck_instruction_set set, const float *logits, size_t count,
                        const uint64_t *legal, float *of_legal, float *peaks,
                        float *legal_peaks);

/// Returns the first token from `start` on whose logit is above a bound, or `count` if there is
/// none. If `legal` is not null, the function ignores all other tokens.
size_t ck_next_above(ck_instruction_set set, const float *logits, size_t start, size_t count,
                     const uint64_t *legal, float bound);

/// Sums over a vocabulary. `total` is the sum of the weights w[i] = exp(x[i]). `spread` is the sum
/// of w[i] x[i] over all tokens whose w[i] is not 0. `legal_total` and `legal_spread` are the same
/// sums over the legal tokens. Each sum is kept in 8 lanes, token i in lane i % 8. At the end, the
/// lanes are folded to 4, 2 and 1.
typedef struct ck_sums {
  double total;
  double spread;
  double legal_total;
  double legal_spread;
} ck_sums;

/// Computes the weights y[i] = exp(x[i]) and their sums, where x[i] = (logits[i] - largest) /
/// divisor. The weights have double precision and the same bits as in ConstrainedDecoding's
/// ExactMath. NaN gives 0, and logits above `largest` count as equal to it.
void ck_weights(ck_instruction_set set, const float *logits, size_t count, const uint64_t *legal,
                double largest, double divisor, double *y, ck_sums *sums);

/// Computes only the weights of legal tokens, as `ck_weights` does, and their two sums. The weights
/// of other tokens and the sums over all tokens have no meaning.
void ck_legal_weights(ck_instruction_set set, const float *logits, size_t count,
                      const uint64_t *legal, double largest, double divisor, double *y,
                      ck_sums *sums);

/// Returns the first legal token from `start` on that may arrive early in an exponential race, or
/// `count` if there is none. A token may arrive early if 1 - u <= bound * weights[i] within a
/// margin of 1e-9, where u is the number in ConstrainedDecoding's RandomStream for the key and the
/// token.
size_t ck_next_early(ck_instruction_set set, const double *weights, size_t start, size_t count,
                     const uint64_t *legal, uint64_t key, double bound);

/// Pauses a loop that waits for another thread. If `yields` is true, other threads may run first;
/// otherwise, the pause takes a few nanoseconds.
void ck_pause(int yields);

/// Computes exp of 16 floats, for tests.
void ck_exponential(ck_instruction_set set, const float *x, float *y);

#endif
