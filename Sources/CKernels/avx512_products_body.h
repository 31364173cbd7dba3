// Products with quantized weights for AVX-512, sixteen rows at a time. This file is compiled after
// avx512_rows_body.h. The sums are the same as in rounded_products_body.h. Lane k of sixteen holds
// the sum of row k. Each vector of weights has four elements of each row, and is multiplied by the
// matching four activations of a column.
//
// A single column, or the first eight of several columns, are multiplied while the rows are being
// read, because the processor has different units for reading and multiplying. The other columns
// are multiplied by the unpacked weights, which are kept in `ck_columns.pack`:
//
//   one group per block   until all groups have been read
//   a K type              until the next block is read, so that they stay in the first-level cache;
//                         but with many columns, jumping from column to column after each block
//                         would take longer than reading all groups again

// The maximum number of columns to multiply together. Their sums fit into registers.
#define AVX512_COLUMNS 8

// With more columns than this, the unpacked weights of all groups are kept.
#define AVX512_FEW 48

// The maximum number of columns to multiply by the same unpacked weights.
#define AVX512_TOTALS 256

// Unpacked groups of 32 elements, from each of sixteen rows.
typedef struct FN(rows) {
  __m512i *weights;  // [group][8]
  __m512 *scales;    // [group][halves]
  __m512 *minimums;  // [group][halves]
} FN(rows);

// Multiplies group `at` of each row (32 elements, with the given weights, scales and minimums) by
// ct columns. Adds the products to the columns' totals.
INLINE void FN(add_group)(const weight_form form, const __m512i *weights, const __m512 *scales,
                          const __m512 *minimums, const ck_columns *x, size_t at, int32_t first,
                          __m512 *total, const int ct) {
  const size_t n = (size_t)x->length, groups = n / 32 * (size_t)form.halves;
  const int8_t *q = x->quants + (size_t)first * n + at * 32;
  const float *dx = x->scales + (size_t)first * (n / 32) + at;
  const float *sums = (form.halves == 2 ? x->half_sums : x->sums) + (size_t)first * groups +
                      at * (size_t)form.halves;
  const int32_t *offsets = (form.halves == 2 ? x->half_offsets : x->offsets) +
                           (size_t)first * groups + at * (size_t)form.halves;
  UNROLL for (int h = 0; h < form.halves; h++) {
    __m512i sum[AVX512_COLUMNS];
    UNROLL for (int c = 0; c < ct; c++) {
      const int32_t offset = offsets[(size_t)c * groups + (size_t)h];
      sum[c] = _mm512_set1_epi32(form.bits == 8 ? offset
                                 : form.bias != 0 ? bias_of(form, offset) : 0);
    }
    UNROLL for (int e = 0; e < 8 / form.halves; e++) {
      const int k = h * 4 + e;
      UNROLL for (int c = 0; c < ct; c++)
          sum[c] = _mm512_dpbusd_epi32(
              sum[c], weights[k], _mm512_set1_epi32(FN(load_four)(q + (size_t)c * n + 4 * k)));
    }
    UNROLL for (int c = 0; c < ct; c++) {
      const __m512 scale =
          _mm512_mul_ps(scales[h], _mm512_set1_ps(dx[(size_t)c * (n / 32)]));
      total[c] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum[c]), scale, total[c]);
      if (form.has_minimums)
        total[c] = _mm512_fmadd_ps(minimums[h],
                                   _mm512_set1_ps(sums[(size_t)c * groups + (size_t)h]), total[c]);
    }
  }
}

// Multiplies unpacked groups, beginning with group `at`, by the columns from `first` on.
INLINE void FN(add_groups)(const weight_form form, FN(rows) rows, size_t groups,
                           const ck_columns *x, size_t at, int32_t first, __m512 *totals) {
#define BY(ct)                                                                                  \
  {                                                                                             \
    __m512 total[ct];                                                                           \
    UNROLL for (int k = 0; k < ct; k++) total[k] = totals[c + k];                               \
    for (size_t g = 0; g < groups; g++)                                                         \
      FN(add_group)(form, rows.weights + 8 * g, rows.scales + g * (size_t)form.halves,          \
                    rows.minimums + g * (size_t)form.halves, x, at + g, c, total, ct);          \
    UNROLL for (int k = 0; k < ct; k++) totals[c + k] = total[k];                               \
  }                                                                                             \
  break
  for (int32_t c = first; c < x->batch; c += AVX512_COLUMNS) {
    switch (x->batch - c) {
      case 1: BY(1);
      case 2: BY(2);
      case 3: BY(3);
      case 4: BY(4);
      case 5: BY(5);
      case 6: BY(6);
      case 7: BY(7);
      default: BY(AVX512_COLUMNS);
    }
  }
#undef BY
}

// Several types share these functions, because only the form of the weights matters after reading.
#define DEFINE_ADD(NAME, BITS, BIAS, HALVES, HAS_MINIMUMS)                                      \
  static __attribute__((noinline)) void FN(add_##NAME)(                                         \
      FN(rows) rows, size_t groups, const ck_columns *x, size_t at, int32_t first,              \
      __m512 *totals) {                                                                         \
    const weight_form form = {                                                                  \
        .bits = BITS, .bias = BIAS, .halves = HALVES, .has_minimums = HAS_MINIMUMS};            \
    FN(add_groups)(form, rows, groups, x, at, first, totals);                                   \
  }
DEFINE_ADD(bytes, 8, 0, 1, 0)
DEFINE_ADD(minimums, 4, 0, 1, 1)
DEFINE_ADD(half_minimums, 2, 0, 2, 1)
DEFINE_ADD(bias_8, 4, 8, 1, 0)
DEFINE_ADD(bias_16, 5, 16, 1, 0)
DEFINE_ADD(half_bias_4, 3, 4, 2, 0)
DEFINE_ADD(half_bias_32, 6, 32, 2, 0)
#undef DEFINE_ADD

INLINE void FN(add_more)(const weight_form form, FN(rows) rows, size_t groups,
                         const ck_columns *x, size_t at, int32_t first, __m512 *totals) {
#define ADD(NAME) FN(add_##NAME)(rows, groups, x, at, first, totals)
  if (form.bits == 8) ADD(bytes);
  else if (form.halves == 2 && form.has_minimums) ADD(half_minimums);
  else if (form.has_minimums) ADD(minimums);
  else if (form.bias == 8) ADD(bias_8);
  else if (form.bias == 16) ADD(bias_16);
  else if (form.bias == 4) ADD(half_bias_4);
  else ADD(half_bias_32);
#undef ADD
}

// Multiplies sixteen rows by one column.
INLINE __m512 FN(rows_by_one)(const ck_type type, const uint8_t *p, size_t row,
                              const ck_columns *x) {
  const weight_form form = form_of(type);
  const size_t blocks = (size_t)x->length / 32 / (size_t)form.span;
  // Prefetch a share of a block with each of its groups. The processor can't wait for more than a
  // few dozen lines at a time.
  const size_t ahead = FN(distance)(16 * row), share = 16 * (size_t)form.size / (size_t)form.span;
  __m512 total = _mm512_setzero_ps();
  for (size_t i = 0; i < blocks; i++, p += form.size) {
    __m512 scales[16], minimums[16];
    __m512i weights[8];
    FN(shared) shared;
    FN(block_scales)(type, p, row, scales, minimums);
    UNROLL for (int j = 0; j < form.span; j++) {
      const uintptr_t now = (uintptr_t)p + i * 15 * (size_t)form.size + (size_t)j * share;
      FN(fetch)(now, ahead, share);
      // If the memory is slower than this loop, the processor drops some prefetches. So prefetch
      // once more before the rows are read.
      FN(fetch)(now, 16 * row, share);
      FN(block_weights)(type, p, row, j, &shared, weights);
      FN(add_group)(form, weights, scales + j * form.halves, minimums + j * form.halves, x,
                    i * (size_t)form.span + (size_t)j, 0, &total, 1);
    }
  }
  return total;
}

// Multiplies sixteen rows by two to AVX512_TOTALS columns. The first ct columns (none, or
// AVX512_COLUMNS) are multiplied while the rows are being read.
INLINE void FN(rows_by_many)(const ck_type type, const uint8_t *p, size_t row, const ck_columns *x,
                             __m512 *totals, const int ct) {
  const weight_form form = form_of(type);
  const size_t span = (size_t)form.span, halves = (size_t)form.halves;
  const size_t blocks = (size_t)x->length / 32 / span;
  const int has_more = x->batch > ct, keeps = has_more && (span == 1 || x->batch > AVX512_FEW);
  const size_t groups = keeps ? blocks * span : span;
  const size_t ahead = FN(distance)(16 * row), share = 16 * (size_t)form.size / span;
  FN(rows) rows = {.weights = x->pack};
  rows.scales = (__m512 *)(rows.weights + groups * 8);
  rows.minimums = rows.scales + groups * halves;
  FN(rows) next = rows;
  __m512 total[AVX512_COLUMNS];
  UNROLL for (int c = 0; c < ct; c++) total[c] = _mm512_setzero_ps();
  for (int32_t c = ct; c < x->batch; c++) totals[c] = _mm512_setzero_ps();
  for (size_t i = 0; i < blocks; i++, p += form.size) {
#define ADD_GROUP                                                                               \
  FN(add_group)(form, next.weights + 8 * j, next.scales + j * halves, next.minimums + j * halves, \
                x, i * span + j, 0, total, ct)
    FN(shared) shared;
    FN(block_scales)(type, p, row, next.scales, next.minimums);
    UNROLL for (size_t j = 0; j < span; j++) {
      FN(fetch)((uintptr_t)p + i * 15 * (size_t)form.size + j * share, ahead, share);
      FN(block_weights)(type, p, row, (int)j, &shared, next.weights + 8 * j);
      if (ct > 0 && halves == 1) ADD_GROUP;
    }
    // With two scales per group, there are too few registers to do both at the same time.
    if (ct > 0 && halves == 2)
      for (size_t j = 0; j < span; j++) ADD_GROUP;
#undef ADD_GROUP
    if (keeps) {
      next.weights += 8 * span;
      next.scales += span * halves;
      next.minimums += span * halves;
    } else if (has_more) {
      FN(add_more)(form, rows, span, x, i * span, ct, totals);
    }
  }
  if (keeps) FN(add_more)(form, rows, groups, x, 0, ct, totals);
  UNROLL for (int c = 0; c < ct; c++) totals[c] = total[c];
}

// Multiplies all rows by at most AVX512_TOTALS columns.
INLINE void FN(matmul_some)(const ck_type type, const uint8_t *w, int32_t rows,
                            const ck_columns *x, float *y, size_t y_stride) {
  const weight_form form = form_of(type);
  const size_t row = (size_t)(x->length / 32 / form.span * form.size);
  for (int32_t r = 0; r < rows; r += 16, y += 16) {
    const int32_t count = rows - r;
    const __mmask16 stored = (__mmask16)(count >= 16 ? 0xffff : (1 << count) - 1);
    const uint8_t *group = w + (size_t)r * row;
    __m512 totals[AVX512_TOTALS];
    if (count < 16) {
      // The last group has fewer than sixteen rows. Copy them to a group that is filled up with
      // zeros.
      memcpy(x->row_quants, group, (size_t)count * row);
      memset(x->row_quants + (size_t)count * row, 0, (size_t)(16 - count) * row);
      group = x->row_quants;
    }
    if (x->batch == 1) totals[0] = FN(rows_by_one)(type, group, row, x);
    else if (x->batch < AVX512_COLUMNS) FN(rows_by_many)(type, group, row, x, totals, 0);
    else FN(rows_by_many)(type, group, row, x, totals, AVX512_COLUMNS);
    for (int32_t c = 0; c < x->batch; c++)
      _mm512_mask_storeu_ps(y + (size_t)c * y_stride, stored, totals[c]);
  }
}

INLINE void FN(matmul_type)(const ck_type type, const uint8_t *w, int32_t rows,
                            const ck_columns *x, float *y, size_t y_stride) {
  const size_t n = (size_t)x->length;
  ck_columns some = *x;
  for (int32_t left = x->batch; left > 0; left -= some.batch) {
    some.batch = left < AVX512_TOTALS ? left : AVX512_TOTALS;
    FN(matmul_some)(type, w, rows, &some, y, y_stride);
    const size_t count = (size_t)some.batch;
    some.quants += count * n;
    some.scales += count * (n / 32);
    some.sums += count * (n / 32);
    some.half_sums += count * (n / 16);
    some.offsets += count * (n / 32);
    some.half_offsets += count * (n / 16);
    y += count * y_stride;
  }
}
