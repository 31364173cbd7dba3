#include "CKernels.h"

#include <float.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// No implicit contraction. Multiplications and additions are fused only if the source says so.
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpsabi"
#pragma clang diagnostic ignored "-Wunused-function"
// If the compiler doesn't unroll a loop for a target, the code is slower but still correct.
#pragma clang diagnostic ignored "-Wpass-failed"

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4u __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x16 __attribute__((vector_size(64)));
typedef float f32x16u __attribute__((vector_size(64), aligned(4), may_alias));
typedef float f32x8u __attribute__((vector_size(32), aligned(4), may_alias));
typedef double f64x8 __attribute__((vector_size(64)));
typedef double f64x8u __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t i64x8 __attribute__((vector_size(64)));
typedef uint64_t u64x8 __attribute__((vector_size(64)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef int32_t i32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x16 __attribute__((vector_size(64)));
typedef uint16_t u16x16u __attribute__((vector_size(32), aligned(2), may_alias));
typedef int8_t i8x16 __attribute__((vector_size(16)));
typedef int8_t i8x16u __attribute__((vector_size(16), aligned(1), may_alias));
typedef int8_t i8x32 __attribute__((vector_size(32)));
typedef int8_t i8x32u __attribute__((vector_size(32), aligned(1), may_alias));
typedef int8_t i8x64 __attribute__((vector_size(64)));
typedef int8_t i8x64u __attribute__((vector_size(64), aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
#define ZERO16 ((f32x16){0})
// Don't write this as a sum with zeros, which would need another instruction and turn -0 into 0.
#define SPLAT16(x) (__builtin_shufflevector((f32x4){(x)}, (f32x4){0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
                                            0, 0, 0, 0, 0, 0))
#define FMA16(a, b, c) __builtin_elementwise_fma((a), (b), (c))

static inline uint16_t load_u16(const void *p) {
  uint16_t v;
  memcpy(&v, p, 2);
  return v;
}

static inline float brain_to_float(uint16_t b) {
  uint32_t bits = (uint32_t)b << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

// The bias of the exponent is 127 in a float and 15 in a half. Multiplying by 2^112 adds the
// difference, and also handles subnormals correctly.
static inline float half_to_float(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000) << 16, bits = (uint32_t)(h & 0x7fff) << 13;
  float f;
  if ((h & 0x7c00) == 0x7c00) {
    bits |= 0x7f800000 | sign;
    memcpy(&f, &bits, 4);
    return f;
  }
  memcpy(&f, &bits, 4);
  f *= 0x1p112f;
  memcpy(&bits, &f, 4);
  bits |= sign;
  memcpy(&f, &bits, 4);
  return f;
}

size_t ck_row_size(ck_type type, size_t count) {
  switch (type) {
    case CK_F32: return count * 4;
    case CK_F16:
    case CK_BF16: return count * 2;
    case CK_Q4_0:
    case CK_IQ4_NL: return count / 32 * 18;
    case CK_Q4_1: return count / 32 * 20;
    case CK_Q5_0: return count / 32 * 22;
    case CK_Q5_1: return count / 32 * 24;
    case CK_Q8_0: return count / 32 * 34;
    case CK_Q2_K: return count / 256 * 84;
    case CK_Q3_K: return count / 256 * 110;
    case CK_Q4_K: return count / 256 * 144;
    case CK_Q5_K: return count / 256 * 176;
    case CK_Q6_K: return count / 256 * 210;
    case CK_IQ4_XS: return count / 256 * 136;
  }
  return 0;
}

// The powers 2^(j / 16), rounded to the nearest doubles.
static const double roots_of_two[16] = {
    1, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};

#include "weight_forms.h"

#define FN(name) name##_scalar
#define ROWS 1
#define COLS 1
#include "unpack_body.h"
#include "products_body.h"
#include "rounded_products_body.h"
#include "rounding_body.h"
#include "probabilities_body.h"
#include "layers_body.h"
#include "attention_body.h"
#undef FN
#undef ROWS
#undef COLS

#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define HAS_AVX2
#define FN(name) name##_avx2
#define ROWS 2
#define COLS 2
#include "unpack_body.h"
#include "products_body.h"
#include "avx2_rows_body.h"
#include "avx2_products_body.h"
#include "typed_products_body.h"
#include "rounding_body.h"
#include "probabilities_body.h"
#include "layers_body.h"
#include "attention_body.h"
#undef HAS_AVX2
#undef FN
#undef ROWS
#undef COLS
#pragma clang attribute pop

#pragma clang attribute push(                                                                    \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,f16c"))),      \
    apply_to = function)
#define HAS_AVX512
#define FN(name) name##_avx512
#define ROWS 4
#define COLS 4
#include "unpack_body.h"
#include "products_body.h"
#include "avx512_rows_body.h"
#include "avx512_products_body.h"
#include "typed_products_body.h"
#include "rounding_body.h"
#include "probabilities_body.h"
#include "layers_body.h"
#include "attention_body.h"
#undef HAS_AVX512
#undef FN
#undef ROWS
#undef COLS
#pragma clang attribute pop

#define DISPATCH(set, call)                      \
  switch (set) {                                 \
    case CK_AVX512: call(_avx512); break;        \
    case CK_AVX2: call(_avx2); break;            \
    default: call(_scalar); break;               \
  }

int ck_is_supported(ck_instruction_set set) {
  switch (set) {
    case CK_SCALAR: return 1;
    case CK_AVX2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("f16c");
    case CK_AVX512:
      return ck_is_supported(CK_AVX2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni");
    default: return 0;
  }
}

#elif defined(__aarch64__)

#define HAS_NEON
#define FN(name) name##_neon
#define ROWS 2
#define COLS 2
#include "unpack_body.h"
#include "products_body.h"
#include "rounded_products_body.h"
#include "rounding_body.h"
#include "probabilities_body.h"
#include "layers_body.h"
#include "attention_body.h"
#undef HAS_NEON
#undef FN
#undef ROWS
#undef COLS

#define DISPATCH(set, call)                      \
  switch (set) {                                 \
    case CK_NEON: call(_neon); break;            \
    default: call(_scalar); break;               \
  }

int ck_is_supported(ck_instruction_set set) { return set == CK_SCALAR || set == CK_NEON; }

#else

#define DISPATCH(set, call) \
  (void)(set);              \
  call(_scalar);

int ck_is_supported(ck_instruction_set set) { return set == CK_SCALAR; }

#endif

int ck_takes_quantized(ck_type type) {
  return type != CK_F32 && type != CK_F16 && type != CK_BF16;
}

void ck_matmul(ck_instruction_set set, ck_type type, const void *weights, int32_t rows,
               const ck_columns *columns, float *y, size_t y_stride) {
#define CALL(suffix)                                                                             \
  switch (type) {                                                                                \
    case CK_F32: matmul_f32##suffix(weights, rows, columns, y, y_stride); break;                 \
    case CK_F16: matmul_f16##suffix(weights, rows, columns, y, y_stride); break;                 \
    case CK_BF16: matmul_bf16##suffix(weights, rows, columns, y, y_stride); break;               \
    case CK_Q8_0: matmul_q8_0##suffix(weights, rows, columns, y, y_stride); break;               \
    case CK_Q4_0: matmul_q4_0##suffix(weights, rows, columns, y, y_stride); break;               \
    default: matmul_unpacked##suffix(type, weights, rows, columns, y, y_stride); break;          \
  }
  DISPATCH(set, CALL)
#undef CALL
}

void ck_quantize(ck_instruction_set set, const float *x, size_t count, int8_t *quants,
                 float *scales, float *sums, float *half_sums, int32_t *offsets,
                 int32_t *half_offsets) {
#define CALL(suffix) \
  quantize##suffix(x, count, quants, scales, sums, half_sums, offsets, half_offsets)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_dequantize(ck_type type, const void *row, size_t count, int8_t *quants, float *scales,
                   float *y) {
  const uint8_t *p = row;
  switch (type) {
    case CK_F32: memcpy(y, row, count * sizeof(float)); break;
    case CK_F16:
      for (size_t i = 0; i < count; i++) y[i] = half_to_float(load_u16(p + 2 * i));
      break;
    case CK_BF16:
      for (size_t i = 0; i < count; i++) y[i] = brain_to_float(load_u16(p + 2 * i));
      break;
    default: {
      float *minimums = scales + count / 16;
      unpack_scalar(type, p, count, quants, scales, minimums);
      for (size_t i = 0; i < count; i++)
        y[i] = scales[i / 16] * (float)quants[i] + minimums[i / 16];
    }
  }
}

void ck_rms_norm(ck_instruction_set set, const float *x, const float *weight, int32_t length,
                 int32_t batch, float epsilon, float *y) {
#define CALL(suffix) rms_norm##suffix(x, weight, length, batch, epsilon, y)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_rotate(float *head, const float *cosines, const float *sines, int32_t count, int split) {
  const int32_t half = count / 2, step = split ? 1 : 2, apart = split ? half : 1;
  for (int32_t i = 0; i < half; i++) {
    float *p = head + i * step;
    float a = p[0], b = p[apart];
    p[0] = a * cosines[i] - b * sines[i];
    p[apart] = a * sines[i] + b * cosines[i];
  }
}

void ck_store_position(ck_instruction_set set, const float *key, const float *value, void *keys,
                       void *values, int32_t place, int32_t length, int halves) {
#define CALL(suffix) store_position##suffix(key, value, keys, values, place, length, halves)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_attention(ck_instruction_set set, const ck_reader *readers, int32_t count, int32_t heads,
                  size_t keys, size_t values, int32_t length, float scale, size_t stride,
                  float *scores, float *sums, int halves) {
#define CALL(suffix)                                                                             \
  attention##suffix(readers, count, heads, keys, values, length, scale, stride, scores, sums,    \
                    halves)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_gated_silu(ck_instruction_set set, float *gate, const float *up, size_t count) {
#define CALL(suffix) gated_silu##suffix(gate, up, count)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_gated_gelu(ck_instruction_set set, float *gate, const float *up, size_t count) {
#define CALL(suffix) gated_gelu##suffix(gate, up, count)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_soft_cap(ck_instruction_set set, float *x, size_t count, float cap) {
#define CALL(suffix) soft_cap##suffix(x, count, cap)
  DISPATCH(set, CALL)
#undef CALL
}

ck_instruction_set ck_best(void) {
  const ck_instruction_set sets[] = {CK_AVX512, CK_AVX2, CK_NEON};
  for (int i = 0; i < 3; i++)
    if (ck_is_supported(sets[i])) return sets[i];
  return CK_SCALAR;
}

float ck_largest_logits(ck_instruction_set set, const float *logits, size_t count,
                        const uint64_t *legal, float *of_legal, float *peaks,
                        float *legal_peaks) {
#define CALL(suffix) \
  return largest_logits##suffix(logits, count, legal, of_legal, peaks, legal_peaks)
  DISPATCH(set, CALL)
#undef CALL
}

size_t ck_next_above(ck_instruction_set set, const float *logits, size_t start, size_t count,
                     const uint64_t *legal, float bound) {
#define CALL(suffix) return next_above##suffix(logits, start, count, legal, bound)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_weights(ck_instruction_set set, const float *logits, size_t count, const uint64_t *legal,
                double largest, double divisor, double *y, ck_sums *sums) {
#define CALL(suffix) weights##suffix(logits, count, legal, largest, divisor, y, sums)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_legal_weights(ck_instruction_set set, const float *logits, size_t count,
                      const uint64_t *legal, double largest, double divisor, double *y,
                      ck_sums *sums) {
#define CALL(suffix) legal_weights##suffix(logits, count, legal, largest, divisor, y, sums)
  DISPATCH(set, CALL)
#undef CALL
}

size_t ck_next_early(ck_instruction_set set, const double *weights, size_t start, size_t count,
                     const uint64_t *legal, uint64_t key, double bound) {
#define CALL(suffix) return next_early##suffix(weights, start, count, legal, key, bound)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_add(float *x, const float *y, size_t count) {
  for (size_t i = 0; i < count; i++) x[i] += y[i];
}

void ck_exponential(ck_instruction_set set, const float *x, float *y) {
#define CALL(suffix) exponential_of##suffix(x, y)
  DISPATCH(set, CALL)
#undef CALL
}

void ck_pause(int yields) {
  if (yields) {
    sched_yield();
    return;
  }
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
