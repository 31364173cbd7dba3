// Matrix products, compiled once for each instruction set. The including file defines
//   FN(name)     the name with the instruction set's suffix
//   ROWS, COLS   the tile of rows and columns whose sums are kept in registers
//   HAS_...      which way four products are summed exactly (FN(dot4))
// Tiles change which sums run side by side, never the order inside one sum.

// Folds 16 lanes: i + (i + 8), i + (i + 4), i + (i + 2), i + (i + 1).
static inline float FN(fold)(const f32x16 *lanes) {
  f32x16 v = *lanes;
  f32x8 a = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
            __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  f32x4 b = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return (b[0] + b[2]) + (b[1] + b[3]);
}

// Folds four sums at once, each in the order of FN(fold).
static inline void FN(fold4)(const f32x16 *s, float *y) {
  f32x16 a = __builtin_shufflevector(s[0], s[1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                     23) +
             __builtin_shufflevector(s[0], s[1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28,
                                     29, 30, 31);
  f32x16 b = __builtin_shufflevector(s[2], s[3], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                     23) +
             __builtin_shufflevector(s[2], s[3], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28,
                                     29, 30, 31);
  // Four lanes of each sum.
  f32x16 c = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26,
                                     27) +
             __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30,
                                     31);
  // Two lanes of each, then one.
  f32x8 d = __builtin_shufflevector(c, c, 0, 1, 4, 5, 8, 9, 12, 13) +
            __builtin_shufflevector(c, c, 2, 3, 6, 7, 10, 11, 14, 15);
  *(f32x4u *)y = __builtin_shufflevector(d, d, 0, 2, 4, 6) +
                 __builtin_shufflevector(d, d, 1, 3, 5, 7);
}

// Stores the sums of rt rows and ct columns.
static inline __attribute__((always_inline)) void FN(store)(f32x16 (*sum)[4], float *y,
                                                            size_t y_stride, const int rt,
                                                            const int ct) {
  UNROLL for (int c = 0; c < ct; c++) {
    if (rt == 4) {
      f32x16 column[4] = {sum[0][c], sum[1][c], sum[2][c], sum[3][c]};
      FN(fold4)(column, y + (size_t)c * y_stride);
    } else {
      UNROLL for (int r = 0; r < rt; r++) y[(size_t)c * y_stride + r] = FN(fold)(&sum[r][c]);
    }
  }
}

// MARK: Float weights

#define LOAD_F32(p) (*(const f32x16u *)(p))
#define LOAD_BF16(p) \
  ((f32x16)(__builtin_convertvector(*(const u16x16u *)(p), u32x16) << 16))

#if defined(HAS_AVX512)
#define LOAD_F16(p) ((f32x16)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(p))))
#elif defined(HAS_AVX2)
static inline void FN(widen)(const uint16_t *p, f32x16 *y) {
  *(__m256 *)y = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
  *((__m256 *)y + 1) = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p + 8)));
}
#define LOAD_F16(p) ({ f32x16 widened; FN(widen)((p), &widened); widened; })
#else
#define LOAD_F16(p) ({                                              \
  f32x16 widened;                                                   \
  for (int e = 0; e < 16; e++) widened[e] = half_to_float((p)[e]);  \
  widened; })
#endif

// rt rows by ct columns; rt and ct are constants after inlining.
#define DEFINE_FLOAT_PRODUCT(NAME, T, LOAD, TO_FLOAT)                                             \
  static inline __attribute__((always_inline)) void FN(NAME##_tile)(                              \
      const T *w, size_t n, const float *x, float *y, size_t y_stride, const int rt,              \
      const int ct) {                                                                             \
    f32x16 sum[4][4];                                                                             \
    UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++) sum[r][c] = ZERO16;   \
    size_t i = 0;                                                                                 \
    for (; i + 16 <= n; i += 16) {                                                                \
      f32x16 a[4];                                                                                \
      UNROLL for (int r = 0; r < rt; r++) a[r] = LOAD(w + (size_t)r * n + i);                     \
      UNROLL for (int c = 0; c < ct; c++) {                                                       \
        f32x16 b = LOAD_F32(x + (size_t)c * n + i);                                               \
        UNROLL for (int r = 0; r < rt; r++) sum[r][c] = FMA16(a[r], b, sum[r][c]);                \
      }                                                                                           \
    }                                                                                             \
    if (i < n) {                                                                                  \
      UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++) {                   \
        f32x16 a = ZERO16, b = ZERO16;                                                            \
        for (size_t e = i; e < n; e++) {                                                          \
          a[e - i] = TO_FLOAT(w[(size_t)r * n + e]);                                              \
          b[e - i] = x[(size_t)c * n + e];                                                        \
        }                                                                                         \
        sum[r][c] = FMA16(a, b, sum[r][c]);                                                       \
      }                                                                                           \
    }                                                                                             \
    FN(store)(sum, y, y_stride, rt, ct);                                                          \
  }                                                                                               \
  static void FN(NAME)(const T *w, int32_t rows, const ck_columns *x, float *y,                   \
                       size_t y_stride) {                                                         \
    const size_t n = (size_t)x->length;                                                           \
    for (int32_t r = 0; r < rows; r += ROWS) {                                                    \
      const T *wr = w + (size_t)r * n;                                                            \
      for (int32_t c = 0; c < x->batch; c += COLS) {                                              \
        const float *xc = x->values + (size_t)c * n;                                              \
        float *yc = y + (size_t)c * y_stride + r;                                                 \
        if (rows - r >= ROWS && x->batch - c >= COLS) {                                           \
          FN(NAME##_tile)(wr, n, xc, yc, y_stride, ROWS, COLS);                                   \
        } else if (rows - r >= ROWS) {                                                            \
          for (int32_t k = 0; k < x->batch - c; k++)                                              \
            FN(NAME##_tile)(wr, n, xc + (size_t)k * n, yc + (size_t)k * y_stride, y_stride,       \
                            ROWS, 1);                                                             \
        } else {                                                                                  \
          for (int32_t j = 0; j < rows - r; j++)                                                  \
            for (int32_t k = 0; k < x->batch - c && k < COLS; k++)                                \
              FN(NAME##_tile)(wr + (size_t)j * n, n, xc + (size_t)k * n,                          \
                              yc + (size_t)k * y_stride + j, y_stride, 1, 1);                     \
        }                                                                                         \
      }                                                                                           \
    }                                                                                             \
  }

DEFINE_FLOAT_PRODUCT(matmul_f32, float, LOAD_F32, )
DEFINE_FLOAT_PRODUCT(matmul_f16, uint16_t, LOAD_F16, half_to_float)
DEFINE_FLOAT_PRODUCT(matmul_bf16, uint16_t, LOAD_BF16, brain_to_float)

// MARK: Weights of 8 bits

// Lane k of y is the exact sum of products 4k ..< 4k + 4. Activations lie in -127 ... 127.
static inline void FN(dot4)(const i8x64 *weights, const i8x64 *activations, i32x16 *y) {
#if defined(HAS_AVX512)
  __m512i w = *(const __m512i *)weights, x = *(const __m512i *)activations;
  __m512i zero = _mm512_setzero_si512();
  __m512i signed_x = _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(w), zero, x);
  *(__m512i *)y = _mm512_dpbusd_epi32(zero, _mm512_abs_epi8(w), signed_x);
#elif defined(HAS_AVX2)
  // |w| <= 128 and |x| <= 127, so that the sum of two products stays below 2^15.
  const __m256i ones = _mm256_set1_epi16(1);
  UNROLL for (int h = 0; h < 2; h++) {
    __m256i w = ((const __m256i *)weights)[h], x = ((const __m256i *)activations)[h];
    __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(x, w));
    ((__m256i *)y)[h] = _mm256_madd_epi16(pairs, ones);
  }
#elif defined(HAS_NEON)
  UNROLL for (int h = 0; h < 4; h++) {
    int8x16_t w = ((const int8x16_t *)weights)[h], x = ((const int8x16_t *)activations)[h];
    int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8(w), vget_low_s8(x)));
    int32x4_t high = vpaddlq_s16(vmull_s8(vget_high_s8(w), vget_high_s8(x)));
    ((int32x4_t *)y)[h] = vpaddq_s32(low, high);
  }
#else
  const int8_t *w = (const int8_t *)weights, *x = (const int8_t *)activations;
  for (int k = 0; k < 16; k++) {
    int32_t sum = 0;
    for (int e = 4 * k; e < 4 * k + 4; e++) sum += (int32_t)w[e] * (int32_t)x[e];
    (*y)[k] = sum;
  }
#endif
}

#define BOTH(a, b) ((f32x16){a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b})

// A block is a half-float scale and 32 signed bytes. Two blocks at a time: the first in lanes
// 0 ..< 8, the second in lanes 8 ..< 16; a last lonely block has a second one of zeros.
static inline __attribute__((always_inline)) void FN(q8_0_tile)(
    const uint8_t *w, size_t blocks, const int8_t *q, const float *d, float *y, size_t y_stride,
    size_t ahead, const int rt, const int ct) {
  f32x16 sum[4][4];
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++) sum[r][c] = ZERO16;
  const size_t row = blocks * 34;
  for (size_t i = 0; i < blocks; i += 2) {
    const int lonely = i + 1 == blocks;
    i8x64 a[4];
    f32x16 da[4];
    UNROLL for (int r = 0; r < rt; r++) {
      const uint8_t *p = w + (size_t)r * row + i * 34;
      __builtin_prefetch(p + ahead);
      i8x32 low = *(const i8x32u *)(p + 2);
      i8x32 high = lonely ? (i8x32){0} : *(const i8x32u *)(p + 36);
      a[r] = __builtin_shufflevector(
          low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
          22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
          44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63);
      float first = HALF(p), second = lonely ? 0 : HALF(p + 34);
      da[r] = BOTH(first, second);
    }
    UNROLL for (int c = 0; c < ct; c++) {
      const int8_t *qc = q + (size_t)c * blocks * 32 + i * 32;
      const float *dc = d + (size_t)c * blocks + i;
      i8x64 b;
      if (lonely) {
        b = (i8x64){0};
        memcpy(&b, qc, 32);
      } else {
        b = *(const i8x64u *)qc;
      }
      float first = dc[0], second = lonely ? 0 : dc[1];
      f32x16 db = BOTH(first, second);
      UNROLL for (int r = 0; r < rt; r++) {
        i32x16 products;
        FN(dot4)(&a[r], &b, &products);
        sum[r][c] = FMA16(__builtin_convertvector(products, f32x16), da[r] * db, sum[r][c]);
      }
    }
  }
  FN(store)(sum, y, y_stride, rt, ct);
}

static void FN(matmul_q8_0)(const uint8_t *w, int32_t rows, const ck_columns *x, float *y,
                            size_t y_stride) {
  const size_t n = (size_t)x->length, blocks = n / 32, row = blocks * 34;
  for (int32_t r = 0; r < rows; r += ROWS) {
    const uint8_t *wr = w + (size_t)r * row;
    const int32_t count = rows - r < ROWS ? rows - r : ROWS;
    for (int32_t c = 0; c < x->batch; c += COLS) {
      const int8_t *qc = x->quants + (size_t)c * n;
      const float *dc = x->scales + (size_t)c * blocks;
      float *yc = y + (size_t)c * y_stride + r;
      // The first columns also fetch the next rows from memory.
      const size_t ahead = c == 0 ? ROWS * row : 0;
      if (count == ROWS && x->batch - c >= COLS) {
        FN(q8_0_tile)(wr, blocks, qc, dc, yc, y_stride, ahead, ROWS, COLS);
        continue;
      }
      for (int32_t k = 0; k < x->batch - c && k < COLS; k++) {
        const int8_t *qk = qc + (size_t)k * n;
        const float *dk = dc + (size_t)k * blocks;
        float *yk = yc + (size_t)k * y_stride;
        if (count == ROWS) {
          FN(q8_0_tile)(wr, blocks, qk, dk, yk, y_stride, k == 0 ? ahead : 0, ROWS, 1);
          continue;
        }
        for (int32_t j = 0; j < count; j++)
          FN(q8_0_tile)(wr + (size_t)j * row, blocks, qk, dk, yk + j, y_stride, 0, 1, 1);
      }
    }
  }
}

// MARK: Types that are unpacked first

#define QUARTERS(p)                                                                              \
  __builtin_shufflevector(*(const f32x4u *)(p), *(const f32x4u *)(p), 0, 0, 0, 0, 1, 1, 1, 1, 2, \
                          2, 2, 2, 3, 3, 3, 3)

// As q8_0_tile, with a scale for each 16 elements; then the minimums times the activations' sums,
// group i in lane i % 16. Rows are `padded` bytes apart, their scales and minimums `groups` + 16.
static inline __attribute__((always_inline)) void FN(unpacked_tile)(
    const int8_t *rows, size_t padded, const float *scales, size_t blocks, const int8_t *q,
    const float *d, const float *sums, float *y, size_t y_stride, const int rt, const int ct) {
  const size_t groups = blocks * 2, apart = 2 * groups + 64;
  f32x16 sum[4][4];
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++) sum[r][c] = ZERO16;
  for (size_t i = 0; i < blocks; i += 2) {
    const int lonely = i + 1 == blocks;
    i8x64 a[4];
    f32x16 da[4];
    UNROLL for (int r = 0; r < rt; r++) {
      a[r] = *(const i8x64u *)(rows + (size_t)r * padded + i * 32);
      da[r] = QUARTERS(scales + (size_t)r * apart + i * 2);
    }
    UNROLL for (int c = 0; c < ct; c++) {
      const int8_t *qc = q + (size_t)c * blocks * 32 + i * 32;
      const float *dc = d + (size_t)c * blocks + i;
      i8x64 b;
      if (lonely) {
        b = (i8x64){0};
        memcpy(&b, qc, 32);
      } else {
        b = *(const i8x64u *)qc;
      }
      float first = dc[0], second = lonely ? 0 : dc[1];
      f32x16 db = BOTH(first, second);
      UNROLL for (int r = 0; r < rt; r++) {
        i32x16 products;
        FN(dot4)(&a[r], &b, &products);
        sum[r][c] = FMA16(__builtin_convertvector(products, f32x16), da[r] * db, sum[r][c]);
      }
    }
  }
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++) {
    const float *least = scales + (size_t)r * apart + groups + 16;
    const float *s = sums + (size_t)c * groups;
    size_t g = 0;
    for (; g + 16 <= groups; g += 16)
      sum[r][c] = FMA16(LOAD_F32(least + g), LOAD_F32(s + g), sum[r][c]);
    if (g < groups) {
      f32x16 a = ZERO16, b = ZERO16;
      for (size_t e = g; e < groups; e++) {
        a[e - g] = least[e];
        b[e - g] = s[e];
      }
      sum[r][c] = FMA16(a, b, sum[r][c]);
    }
  }
  FN(store)(sum, y, y_stride, rt, ct);
}

static void FN(matmul_unpacked)(ck_type type, const uint8_t *w, int32_t rows, const ck_columns *x,
                                float *y, size_t y_stride) {
  const size_t n = (size_t)x->length, blocks = n / 32, groups = n / 16, padded = n + 64;
  const size_t row = ck_row_size(type, n), apart = 2 * groups + 64;
  for (int32_t r = 0; r < rows; r += ROWS) {
    const int32_t count = rows - r < ROWS ? rows - r : ROWS;
    for (int32_t j = 0; j < count; j++) {
      int8_t *quants = x->row_quants + (size_t)j * padded;
      float *scales = x->row_scales + (size_t)j * apart;
      const uint8_t *packed = w + (size_t)(r + j) * row;
      for (size_t e = 0; e < row; e += 64) __builtin_prefetch(packed + ROWS * row + e);
      FN(unpack)(type, packed, n, quants, scales, scales + groups + 16);
      // A last lonely block has a second one of zeros.
      memset(quants + n, 0, 32);
      memset(scales + groups, 0, 2 * sizeof(float));
    }
    for (int32_t c = 0; c < x->batch; c += COLS) {
      const int8_t *qc = x->quants + (size_t)c * n;
      const float *dc = x->scales + (size_t)c * blocks, *sc = x->sums + (size_t)c * groups;
      float *yc = y + (size_t)c * y_stride + r;
      if (count == ROWS && x->batch - c >= COLS) {
        FN(unpacked_tile)(x->row_quants, padded, x->row_scales, blocks, qc, dc, sc, yc, y_stride,
                          ROWS, COLS);
        continue;
      }
      for (int32_t k = 0; k < x->batch - c && k < COLS; k++) {
        if (count == ROWS) {
          FN(unpacked_tile)(x->row_quants, padded, x->row_scales, blocks, qc + (size_t)k * n,
                            dc + (size_t)k * blocks, sc + (size_t)k * groups,
                            yc + (size_t)k * y_stride, y_stride, ROWS, 1);
          continue;
        }
        for (int32_t j = 0; j < count; j++)
          FN(unpacked_tile)(x->row_quants + (size_t)j * padded, padded,
                            x->row_scales + (size_t)j * apart, blocks, qc + (size_t)k * n,
                            dc + (size_t)k * blocks, sc + (size_t)k * groups,
                            yc + (size_t)k * y_stride + j, y_stride, 1, 1);
      }
    }
  }
}

// MARK: Rounding activations

static void FN(quantize)(const float *x, size_t count, int8_t *quants, float *scales,
                         float *sums) {
  for (size_t b = 0; b < count / 32; b++) {
    f32x16 low = LOAD_F32(x + b * 32), high = LOAD_F32(x + b * 32 + 16);
    f32x16 peak = __builtin_elementwise_max(__builtin_elementwise_abs(low),
                                            __builtin_elementwise_abs(high));
    float largest = 0;
    for (int e = 0; e < 16; e++) largest = peak[e] > largest ? peak[e] : largest;
    f32x16 inverse = ZERO16 + (largest > 1e-30f ? 127.0f / largest : 0.0f);
    scales[b] = largest / 127.0f;
    i32x16 a = __builtin_convertvector(__builtin_elementwise_rint(low * inverse), i32x16);
    i32x16 c = __builtin_convertvector(__builtin_elementwise_rint(high * inverse), i32x16);
    *(i8x16u *)(quants + b * 32) = __builtin_convertvector(a, i8x16);
    *(i8x16u *)(quants + b * 32 + 16) = __builtin_convertvector(c, i8x16);
    sums[b * 2] = scales[b] * (float)__builtin_reduce_add(a);
    sums[b * 2 + 1] = scales[b] * (float)__builtin_reduce_add(c);
  }
}
