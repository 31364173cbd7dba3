// Matrix products. This file is compiled once per instruction set. The including file defines
//   FN(name)     the name with the instruction set's suffix
//   ROWS, COLS   the tile of rows and columns whose sums are kept in registers
//   HAS_...      the available instructions
// Tiles change which sums are computed side by side, but never the order within a sum.

// Folds 16 lanes to one by adding lane i + 8 to lane i, then lane i + 4, then i + 2, then i + 1.
static inline float FN(fold)(const f32x16 *lanes) {
  f32x16 v = *lanes;
  f32x8 a = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
            __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  f32x4 b = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return (b[0] + b[2]) + (b[1] + b[3]);
}

// Folds four sums together, each in the order of FN(fold).
static inline void FN(fold4)(const f32x16 *s, float *y) {
  f32x16 a = __builtin_shufflevector(s[0], s[1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                     23) +
             __builtin_shufflevector(s[0], s[1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28,
                                     29, 30, 31);
  f32x16 b = __builtin_shufflevector(s[2], s[3], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22,
                                     23) +
             __builtin_shufflevector(s[2], s[3], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28,
                                     29, 30, 31);
  // Fold each sum to four lanes.
  f32x16 c = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26,
                                     27) +
             __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30,
                                     31);
  // Fold each sum to two lanes, and then to one.
  f32x8 d = __builtin_shufflevector(c, c, 0, 1, 4, 5, 8, 9, 12, 13) +
            __builtin_shufflevector(c, c, 2, 3, 6, 7, 10, 11, 14, 15);
  *(f32x4u *)y = __builtin_shufflevector(d, d, 0, 2, 4, 6) +
                 __builtin_shufflevector(d, d, 1, 3, 5, 7);
}

// Folds and stores the sums of rt rows and ct columns.
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

// Multiplies rt rows by ct columns. rt and ct are constant after inlining.
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

// MARK: Reading quantized weights and activations

// Returns how many bytes ahead to prefetch: at least 64 KiB. If a group of rows is larger, the
// distance is its size, because the kernel begins to read all rows of a group at the same time.
static inline __attribute__((always_inline)) size_t FN(distance)(size_t group) {
  const size_t least = 1 << 16, most = 1 << 18;
  return group < least ? least : group > most ? most : group;
}

// Prefetches bytes `distance` ahead of the bytes that are needed now. The prefetched bytes may
// belong to another matrix or be outside of mapped memory, which does no harm.
//
// If `waits` is true, the processor waits until it can prefetch into the first-level cache.
// Otherwise, it prefetches into the second-level cache, and skips the prefetch while it is busy.
static inline __attribute__((always_inline)) void FN(fetch)(uintptr_t now, size_t distance,
                                                            const size_t count, const int waits) {
  UNROLL for (size_t e = 0; e < count; e += 64) {
    const void *line = (const void *)(now + distance + e);
    if (waits) __builtin_prefetch(line, 0, 3);
    else __builtin_prefetch(line, 0, 2);
  }
}

static inline int32_t FN(load_four)(const int8_t *p) {
  int32_t four;
  memcpy(&four, p, 4);
  return four;
}
