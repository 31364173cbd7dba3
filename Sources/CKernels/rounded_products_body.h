// Products with quantized weights. This file is compiled after products_body.h, for each
// instruction set except AVX2 and AVX-512. Their products are in avx2_products_body.h and
// avx512_products_body.h.
//
// Each row's sum is one lane of a vector:
//
//            row 0   row 1   …   row 15
//   block 0  exact integer sum of 32 products ─► float · (row's scale · column's scale) ─┐
//   block 1  …                                                                           ├─► lane
//   block 2  …                                            added in the order of the blocks ┘
//
// So a row's sum is computed block by block, and the integers in a block are added exactly. The
// result depends neither on which columns are computed together nor on which of the following
// methods computes it:
//
//   one column     rows are read in the layout of the file, four at a time, or sixteen after
//                  unpacking; integer sums are added across lanes
//   more columns   rows are unpacked and packed first, four weights of each row side by side, and
//                  every packed vector is multiplied by the matching four activations of each
//                  column

// MARK: One column

// Lane k of y is the exact sum of products 4k ..< 4k + 4. Activations are in -127 ... 127.
static inline void FN(dot4)(const i8x64 *weights, const i8x64 *activations, i32x16 *y) {
#if defined(HAS_NEON)
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

// Computes in each lane the sum of four products of the row and the column.
#define DOT_ROW(weights, x) ({         \
  i32x16 products;                     \
  i8x64 row_weights = (weights);       \
  FN(dot4)(&row_weights, &(x), &products); \
  products; })

#define JOIN32(low, high)                                                                         \
  __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,    \
                          17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, \
                          35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, \
                          53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)

// The storage of a block's weights: 32 signed bytes, or 16 bytes with two weights each.
enum { FN(plain_kind), FN(nibble_kind) };

// Loads a row's next 64 weights. `first` points to the weights of a block, and `second` to the
// weights of the next block.
static inline __attribute__((always_inline)) void FN(load64)(const uint8_t *first,
                                                             const uint8_t *second,
                                                             const int kind, i8x64 *y) {
  if (kind == FN(plain_kind)) {
    *y = JOIN32(*(const i8x32u *)first, *(const i8x32u *)second);
    return;
  }
  i8x16 a = *(const i8x16u *)first, b = *(const i8x16u *)second;
  i8x16 low = a & 15, high = (a >> 4) & 15, low_b = b & 15, high_b = (b >> 4) & 15;
#define JOIN16(p, q)                                                                              \
  __builtin_shufflevector(p, q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, \
                          19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
  i8x32 p = JOIN16(low, high), q = JOIN16(low_b, high_b);
#undef JOIN16
  *y = JOIN32(p, q) - 8;
}

// Adds the lanes in each quarter of four rows. Lane 4q + r of y is the sum of quarter q of row r.
static inline __attribute__((always_inline)) void FN(quarters)(const i32x16 *d, i32x16 *y) {
  i32x16 a = __builtin_shufflevector(d[0], d[1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28,
                                     13, 29) +
             __builtin_shufflevector(d[0], d[1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14,
                                     30, 15, 31);
  i32x16 b = __builtin_shufflevector(d[2], d[3], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28,
                                     13, 29) +
             __builtin_shufflevector(d[2], d[3], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14,
                                     30, 15, 31);
  *y = __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
       __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}

// Collects the quarters of four groups of four rows. out[q] is quarter q of all sixteen rows.
static inline __attribute__((always_inline)) void FN(gather_quarters)(const i32x16 *s,
                                                                      i32x16 *out) {
#define PAIR(x, y, p, q)                                                                       \
  __builtin_shufflevector(x, y, 4 * p, 4 * p + 1, 4 * p + 2, 4 * p + 3, 4 * q, 4 * q + 1,       \
                          4 * q + 2, 4 * q + 3, 16 + 4 * p, 17 + 4 * p, 18 + 4 * p, 19 + 4 * p, \
                          16 + 4 * q, 17 + 4 * q, 18 + 4 * q, 19 + 4 * q)
  i32x16 even01 = PAIR(s[0], s[1], 0, 2), odd01 = PAIR(s[0], s[1], 1, 3);
  i32x16 even23 = PAIR(s[2], s[3], 0, 2), odd23 = PAIR(s[2], s[3], 1, 3);
  out[0] = PAIR(even01, even23, 0, 2);
  out[1] = PAIR(odd01, odd23, 0, 2);
  out[2] = PAIR(even01, even23, 1, 3);
  out[3] = PAIR(odd01, odd23, 1, 3);
}

// Like gather_quarters, but adds quarters 0 and 1 and also quarters 2 and 3, which gives the sums
// of two blocks.
static inline __attribute__((always_inline)) void FN(gather_halves)(const i32x16 *s, i32x16 *out) {
  i32x16 a = PAIR(s[0], s[1], 0, 2) + PAIR(s[0], s[1], 1, 3);
  i32x16 b = PAIR(s[2], s[3], 0, 2) + PAIR(s[2], s[3], 1, 3);
  out[0] = PAIR(a, b, 0, 2);
  out[1] = PAIR(a, b, 1, 3);
#undef PAIR
}

// Multiplies sixteen rows of signed bytes by one column. `scales` and `minimums` have sixteen
// values for each block, or for each half of a block.
static inline __attribute__((always_inline)) void FN(sixteen_by_one)(
    const int8_t *weights, const float *scales, const float *minimums, const int by_half,
    size_t blocks, const int8_t *x, const float *dx, const float *sums, float *y) {
  f32x16 total = ZERO16;
  for (size_t i = 0; i < blocks; i += 2) {
    const int lonely = i + 1 == blocks;
    i8x64 b;
    if (lonely) {
      b = (i8x64){0};
      memcpy(&b, x + i * 32, 32);
    } else {
      b = *(const i8x64u *)(x + i * 32);
    }
    // If only one block is left, it is read twice, and the second copy is multiplied by zeros.
    const size_t second = lonely ? 0 : 32;
    i32x16 s[4];
    UNROLL for (int g = 0; g < 4; g++) {
      i32x16 d[4];
      UNROLL for (int r = 0; r < 4; r++) {
        const uint8_t *q =
            (const uint8_t *)weights + (size_t)(4 * g + r) * blocks * 32 + i * 32;
        i8x64 w;
        FN(load64)(q, q + second, FN(plain_kind), &w);
        d[r] = DOT_ROW(w, b);
      }
      FN(quarters)(d, &s[g]);
    }
    if (by_half) {
      i32x16 parts[4];
      FN(gather_quarters)(s, parts);
      UNROLL for (int h = 0; h < 4; h++) {
        if (h < 2 || !lonely) {
          f32x16 scale = LOAD_F32(scales + (2 * i + h) * 16) * SPLAT16(dx[i + h / 2]);
          total = FMA16(__builtin_convertvector(parts[h], f32x16), scale, total);
          if (minimums != 0)
            total = FMA16(LOAD_F32(minimums + (2 * i + h) * 16), SPLAT16(sums[2 * i + h]), total);
        }
      }
    } else {
      i32x16 parts[2];
      FN(gather_halves)(s, parts);
      UNROLL for (int h = 0; h < 2; h++) {
        if (h == 0 || !lonely) {
          f32x16 scale = LOAD_F32(scales + (i + h) * 16) * SPLAT16(dx[i + h]);
          total = FMA16(__builtin_convertvector(parts[h], f32x16), scale, total);
          if (minimums != 0)
            total = FMA16(LOAD_F32(minimums + (i + h) * 16), SPLAT16(sums[i + h]), total);
        }
      }
    }
  }
  *(f32x16u *)y = total;
}

// Multiplies the next `count` blocks (one, two or four) of four rows by the column. One vector
// contains the sums of four blocks of four rows. They are added to the rows' totals block by block:
//
//   block 0: row 0 1 2 3 │ block 1: row 0 1 2 3 │ block 2 … │ block 3 …
static inline __attribute__((always_inline)) void FN(four_rows)(
    const uint8_t *weights, size_t row, size_t block, const int kind, const int count,
    const int8_t *x, const float *dx, f32x4 *total) {
  i32x16 s[2] = {{0}, {0}};
  UNROLL for (int h = 0; h < (count + 1) / 2; h++) {
    i8x64 b = {0};
    // If there is only one block, it is read twice, and the second copy is multiplied by zeros.
    if (count == 1) memcpy(&b, x, 32);
    else b = *(const i8x64u *)(x + 64 * h);
    i32x16 d[4];
    UNROLL for (int r = 0; r < 4; r++) {
      const uint8_t *p = weights + (size_t)r * row + (size_t)(2 * h) * block + 2;
      i8x64 w;
      FN(load64)(p, p + (count == 1 ? 0 : block), kind, &w);
      d[r] = DOT_ROW(w, b);
    }
    FN(quarters)(d, &s[h]);
  }
#define EVERY_OTHER(k)                                                                      \
  __builtin_shufflevector(s[0], s[1], k, k + 1, k + 2, k + 3, k + 8, k + 9, k + 10, k + 11, \
                          k + 16, k + 17, k + 18, k + 19, k + 24, k + 25, k + 26, k + 27)
  f32x16 sums = __builtin_convertvector(EVERY_OTHER(0) + EVERY_OTHER(4), f32x16);
#undef EVERY_OTHER
  uint16_t halves[16] = {0};
  UNROLL for (int b = 0; b < count; b++) {
    UNROLL for (int r = 0; r < 4; r++)
        halves[4 * b + r] = load_u16(weights + (size_t)r * row + (size_t)b * block);
  }
  f32x4 d = {0};
  memcpy(&d, dx, (size_t)count * sizeof(float));
  f32x16 scales = LOAD_F16(halves) *
                  __builtin_shufflevector(d, d, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
#define ADD_BLOCK(b)                                                                             \
  if (b < count)                                                                                 \
    *total = __builtin_elementwise_fma(                                                          \
        __builtin_shufflevector(sums, sums, 4 * b, 4 * b + 1, 4 * b + 2, 4 * b + 3),             \
        __builtin_shufflevector(scales, scales, 4 * b, 4 * b + 1, 4 * b + 2, 4 * b + 3), *total);
  ADD_BLOCK(0) ADD_BLOCK(1) ADD_BLOCK(2) ADD_BLOCK(3)
#undef ADD_BLOCK
}

// Multiplies four rows by one column. Each block of the rows is a half-precision scale followed by
// weights. The rows are read almost in file order.
static inline __attribute__((always_inline)) void FN(four_by_one)(
    const uint8_t *weights, size_t row, size_t block, const int kind, size_t blocks,
    const int8_t *x, const float *dx, float *y) {
  f32x4 total = {0};
  size_t i = 0;
  for (; i + 4 <= blocks; i += 4) {
    FN(fetch)((uintptr_t)weights + i * 4 * block, FN(distance)(4 * row), 16 * block, 0);
    FN(four_rows)(weights + i * block, row, block, kind, 4, x + i * 32, dx + i, &total);
  }
  for (; i + 2 <= blocks; i += 2)
    FN(four_rows)(weights + i * block, row, block, kind, 2, x + i * 32, dx + i, &total);
  if (i < blocks)
    FN(four_rows)(weights + i * block, row, block, kind, 1, x + i * 32, dx + i, &total);
  memcpy(y, &total, sizeof total);
}

// MARK: More columns

// Packs rows as [block][8][row][4], so that vector j of a block has elements 4j ..< 4j + 4 of
// sixteen rows. This function packs 16 bytes of each row, which is half of a block, into four
// vectors. The rows are `row` bytes apart.
static inline __attribute__((always_inline)) void FN(pack_quarter)(const uint8_t *p, size_t row,
                                                                   i32x16 *y) {
  for (int r = 0; r < 16; r++) {
    int32_t four[4];
    memcpy(four, p + (size_t)r * row, 16);
    for (int k = 0; k < 4; k++) y[k][r] = four[k];
  }
}

// Packs one block of sixteen rows of signed bytes.
static inline __attribute__((always_inline)) void FN(pack_block)(const int8_t *p, size_t row,
                                                                 i8x64 *y) {
  FN(pack_quarter)((const uint8_t *)p, row, (i32x16 *)y);
  FN(pack_quarter)((const uint8_t *)p + 16, row, (i32x16 *)y + 4);
}

// Adds the four products of packed row r to lane r of `sum`.
#define ADD_DOT(sum, w, four) ({          \
  i32x16 products;                        \
  i8x64 fours = (i8x64)((i32x16){0} + (four)); \
  FN(dot4)(&(w), &fours, &products);      \
  (sum) + products; })

static inline __attribute__((always_inline)) void FN(store_columns)(const f32x16 *total, float *y,
                                                                    size_t y_stride, int32_t rows,
                                                                    const int ct) {
  UNROLL for (int c = 0; c < ct; c++) {
    float *to = y + (size_t)c * y_stride;
    if (rows == 16) {
      *(f32x16u *)to = total[c];
    } else {
      memcpy(to, &total[c], (size_t)rows * sizeof(float));
    }
  }
}

// Multiplies sixteen packed rows by ct columns.
static inline __attribute__((always_inline)) void FN(sixteen_by)(
    const i8x64 *pack, const float *scales, const float *minimums, const int by_half,
    const ck_columns *x, int32_t first, float *y, size_t y_stride, int32_t rows, const int ct) {
  const size_t n = (size_t)x->length, blocks = n / 32;
  const int8_t *q = x->quants + (size_t)first * n;
  const float *dx = x->scales + (size_t)first * blocks;
  const size_t groups = by_half ? 2 * blocks : blocks;
  const float *sums = (by_half ? x->half_sums : x->sums) + (size_t)first * groups;
  f32x16 total[8];
  UNROLL for (int c = 0; c < ct; c++) total[c] = ZERO16;
  for (size_t i = 0; i < blocks; i++) {
    UNROLL for (int h = 0; h < (by_half ? 2 : 1); h++) {
      const size_t group = by_half ? 2 * i + h : i;
      i32x16 sum[8];
      UNROLL for (int c = 0; c < ct; c++) sum[c] = (i32x16){0};
      UNROLL for (int j = 0; j < (by_half ? 4 : 8); j++) {
        i8x64 w = pack[i * 8 + 4 * h + j];
        UNROLL for (int c = 0; c < ct; c++) {
          int32_t four = FN(load_four)(q + (size_t)c * n + i * 32 + 16 * h + 4 * j);
          sum[c] = ADD_DOT(sum[c], w, four);
        }
      }
      f32x16 scale = LOAD_F32(scales + group * 16);
      UNROLL for (int c = 0; c < ct; c++) {
        total[c] = FMA16(__builtin_convertvector(sum[c], f32x16),
                         scale * SPLAT16(dx[(size_t)c * blocks + i]), total[c]);
        if (minimums != 0)
          total[c] = FMA16(LOAD_F32(minimums + group * 16),
                           SPLAT16(sums[(size_t)c * groups + group]), total[c]);
      }
    }
  }
  FN(store_columns)(total, y, y_stride, rows, ct);
}

// MARK: A matrix

static inline __attribute__((always_inline)) void FN(packed_columns)(
    const i8x64 *pack, const float *scales, const float *minimums, const int by_half,
    const ck_columns *x, float *y, size_t y_stride, int32_t rows) {
#define COLUMNS(count) \
  FN(sixteen_by)(pack, scales, minimums, by_half, x, c, to, y_stride, rows, count)
#if defined(HAS_NEON)
  const int32_t most = 8;
#else
  const int32_t most = 1;  // without vectors, it saves nothing to multiply more columns together
#endif
  for (int32_t c = 0; c < x->batch; c += most) {
    float *to = y + (size_t)c * y_stride;
    switch (most == 1 ? 1 : x->batch - c) {
      case 1: COLUMNS(1); break;
      case 2: COLUMNS(2); break;
      case 3: COLUMNS(3); break;
      case 4: COLUMNS(4); break;
      case 5: COLUMNS(5); break;
      case 6: COLUMNS(6); break;
      case 7: COLUMNS(7); break;
      default: COLUMNS(8); break;
    }
  }
#undef COLUMNS
}

// Multiplies rows by one column, for the types whose blocks are a half-precision scale followed by
// weights. The rows are read in place.
static inline __attribute__((always_inline)) void FN(simple_rows)(
    const uint8_t *w, int32_t rows, const int kind, const ck_columns *x, float *y) {
  const size_t n = (size_t)x->length, blocks = n / 32;
  const size_t block = kind == FN(nibble_kind) ? 18 : 34, row = blocks * block;
  for (int32_t r = 0; r < rows; r += 4) {
    const uint8_t *group = w + (size_t)r * row;
    const int32_t count = rows - r < 4 ? rows - r : 4;
    if (count < 4) {
      // The last group has fewer than four rows. Copy them to a group that is filled up with zeros.
      uint8_t *copy = x->row_quants;
      memcpy(copy, group, (size_t)count * row);
      memset(copy + (size_t)count * row, 0, (size_t)(4 - count) * row);
      group = copy;
    }
    float four[4];
    FN(four_by_one)(group, row, block, kind, blocks, x->quants, x->scales, four);
    memcpy(y + r, four, (size_t)count * sizeof(float));
  }
}

// Interleaves the numbers of sixteen rows. The rows are `2 * apart` floats apart. The result has
// sixteen values for each half of a block, or for each block if its halves share a value.
static inline __attribute__((always_inline)) void FN(lay_aside)(const float *rows, size_t apart,
                                                                const int by_half, float *y) {
  for (size_t g = 0; g < apart; g += 4) {
    i32x16 four[4];
    FN(pack_quarter)((const uint8_t *)(rows + g), 2 * apart * sizeof(float), four);
    UNROLL for (int k = 0; k < 4; k += by_half ? 1 : 2) {
      *(f32x16u *)y = (f32x16)four[k];
      y += 16;
    }
  }
}

// Multiplies rows, sixteen at a time, for the types that are first unpacked to signed bytes.
static inline __attribute__((always_inline)) void FN(unpacked_rows)(
    ck_type type, const int by_half, const int has_minimums, const uint8_t *w, int32_t rows,
    const ck_columns *x, float *y, size_t y_stride) {
  const size_t n = (size_t)x->length, blocks = n / 32, row = ck_row_size(type, n);
  // After each row's scales come its minimums. After the last row come the interleaved scales of
  // all rows, and then their interleaved minimums.
  const size_t apart = (n / 16 + 3) / 4 * 4;
  uint8_t *quants = x->row_quants;
  float *by_row = x->row_scales, *scales = by_row + 32 * apart, *minimums = scales + 16 * apart;
  for (int32_t r = 0; r < rows; r += 16) {
    const int32_t count = rows - r < 16 ? rows - r : 16;
    for (int32_t k = 0; k < 16; k++) {
      int8_t *to = (int8_t *)quants + (size_t)k * n;
      if (k < count) {
        float *row_scales = by_row + (size_t)k * 2 * apart;
        const uint8_t *packed = w + (size_t)(r + k) * row;
        FN(unpack)(type, packed, n, to, row_scales, row_scales + apart);
        for (size_t e = 0; e < row; e += 64) __builtin_prefetch(packed + 2 * row + e);
      } else {
        memset(to, 0, n);
        memset(by_row + (size_t)k * 2 * apart, 0, 2 * apart * sizeof(float));
      }
    }
    FN(lay_aside)(by_row, apart, by_half, scales);
    if (has_minimums) FN(lay_aside)(by_row + apart, apart, by_half, minimums);
    const float *least = has_minimums ? minimums : 0;
    if (x->batch == 1) {
      float sixteen[16];
      FN(sixteen_by_one)((const int8_t *)quants, scales, least, by_half, blocks, x->quants,
                         x->scales, by_half ? x->half_sums : x->sums, sixteen);
      memcpy(y + r, sixteen, (size_t)count * sizeof(float));
      continue;
    }
    i8x64 *pack = (i8x64 *)x->pack;
    for (size_t i = 0; i < blocks; i++)
      FN(pack_block)((const int8_t *)quants + i * 32, n, pack + i * 8);
    FN(packed_columns)(pack, scales, least, by_half, x, y + r, y_stride, count);
  }
}

static void FN(matmul_unpacked)(ck_type type, const uint8_t *w, int32_t rows, const ck_columns *x,
                                float *y, size_t y_stride) {
  const weight_form form = form_of(type);
#define UNPACKED(by_half, has_minimums) \
  FN(unpacked_rows)(type, by_half, has_minimums, w, rows, x, y, y_stride)
  if (form.halves == 2) {
    if (form.has_minimums) UNPACKED(1, 1);
    else UNPACKED(1, 0);
  } else {
    if (form.has_minimums) UNPACKED(0, 1);
    else UNPACKED(0, 0);
  }
#undef UNPACKED
}

static void FN(matmul_q8_0)(const uint8_t *w, int32_t rows, const ck_columns *x, float *y,
                            size_t y_stride) {
  if (x->batch == 1) FN(simple_rows)(w, rows, FN(plain_kind), x, y);
  else FN(matmul_unpacked)(CK_Q8_0, w, rows, x, y, y_stride);
}

static void FN(matmul_q4_0)(const uint8_t *w, int32_t rows, const ck_columns *x, float *y,
                            size_t y_stride) {
  if (x->batch == 1) FN(simple_rows)(w, rows, FN(nibble_kind), x, y);
  else FN(matmul_unpacked)(CK_Q4_0, w, rows, x, y, y_stride);
}

#undef DOT_ROW
#undef JOIN32
#undef ADD_DOT
