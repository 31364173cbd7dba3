// Products with quantized weights for AVX-512, sixteen rows at a time. This file is compiled after
// avx512_rows_body.h. The sums are the same as in rounded_products_body.h. Lane k of sixteen holds
// the sum of row k. Each vector of weights has four elements of each row, and is multiplied by the
// matching four activations of a column.
//
// A single column, or the first eight of several columns, are multiplied while the rows are being
// read, because the processor has different units for reading and multiplying. For all further
// columns, the unpacked rows are kept in `ck_columns.pack`.

// The maximum number of columns to multiply together. Their sums fit into registers.
#define AVX512_COLUMNS 8

// The unpacked weights of sixteen rows, in groups of 32 elements.
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

INLINE void FN(store_totals)(const __m512 *total, int32_t count, float *y, size_t y_stride,
                             const int ct) {
  const __mmask16 rows = (__mmask16)(count >= 16 ? 0xffff : (1 << count) - 1);
  UNROLL for (int c = 0; c < ct; c++)
      _mm512_mask_storeu_ps(y + (size_t)c * y_stride, rows, total[c]);
}

// Reads sixteen rows and multiplies them by the first ct columns. Keeps the unpacked rows unless ct
// is 1.
INLINE void FN(read_rows)(const ck_type type, const uint8_t *p, size_t row, const ck_columns *x,
                          FN(rows) kept, int32_t count, float *y, size_t y_stride,
                          const int ct) {
  const weight_form form = form_of(type);
  const int keeps = ct != 1;
  const size_t blocks = (size_t)x->length / 32 / (size_t)form.span;
  // Prefetch a share of a block with each of its groups. The processor can't wait for more than a
  // few dozen lines at a time.
  const size_t ahead = FN(distance)(16 * row), share = 16 * (size_t)form.size / (size_t)form.span;
  __m512 total[AVX512_COLUMNS];
  UNROLL for (int c = 0; c < ct; c++) total[c] = _mm512_setzero_ps();
  for (size_t i = 0; i < blocks; i++, p += form.size) {
    __m512 some_scales[16], some_minimums[16];
    __m512i some_weights[64];
    FN(shared) shared;
    __m512 *scales = keeps ? kept.scales : some_scales;
    __m512 *minimums = keeps ? kept.minimums : some_minimums;
    __m512i *weights = keeps ? kept.weights : some_weights;
    FN(block_scales)(type, p, row, scales, minimums);
#define ADD_GROUP                                                                               \
  FN(add_group)(form, weights + 8 * j, scales + j * form.halves, minimums + j * form.halves, x, \
                i * (size_t)form.span + (size_t)j, 0, total, ct)
    UNROLL for (int j = 0; j < form.span; j++) {
      const uintptr_t now = (uintptr_t)p + i * 15 * (size_t)form.size + (size_t)j * share;
      FN(fetch)(now, ahead, share);
      // If the memory is slower than this loop, the processor drops some prefetches. So prefetch
      // once more before the rows are read.
      if (ct == 1) FN(fetch)(now, 16 * row, share);
      FN(block_weights)(type, p, row, j, &shared, weights + 8 * j);
      if (ct == 1) ADD_GROUP;
    }
    if (ct > 1)
      for (int j = 0; j < form.span; j++) ADD_GROUP;
#undef ADD_GROUP
    kept.weights += 8 * form.span;
    kept.scales += form.span * form.halves;
    kept.minimums += form.span * form.halves;
  }
  FN(store_totals)(total, count, y, y_stride, ct);
}

// Multiplies kept rows by ct columns, beginning with column `first`.
INLINE void FN(kept_rows_by)(const weight_form form, FN(rows) kept, const ck_columns *x,
                             int32_t first, int32_t count, float *y, size_t y_stride,
                             const int ct) {
  __m512 total[AVX512_COLUMNS];
  UNROLL for (int c = 0; c < ct; c++) total[c] = _mm512_setzero_ps();
  for (size_t i = 0; i < (size_t)x->length / 32; i++) {
    const size_t at = i * (size_t)form.halves;
    FN(add_group)(form, kept.weights + 8 * i, kept.scales + at, kept.minimums + at, x, i, first,
                  total, ct);
  }
  FN(store_totals)(total, count, y, y_stride, ct);
}

INLINE void FN(more_columns)(const weight_form form, FN(rows) kept, const ck_columns *x,
                             int32_t first, int32_t count, float *y, size_t y_stride) {
#define BY(ct) FN(kept_rows_by)(form, kept, x, c, count, y + (size_t)c * y_stride, y_stride, ct)
  for (int32_t c = first; c < x->batch; c += AVX512_COLUMNS) {
    switch (x->batch - c) {
      case 1: BY(1); break;
      case 2: BY(2); break;
      case 3: BY(3); break;
      case 4: BY(4); break;
      case 5: BY(5); break;
      case 6: BY(6); break;
      case 7: BY(7); break;
      default: BY(AVX512_COLUMNS); break;
    }
  }
#undef BY
}

// Several types share these functions, because only the form of the weights matters after reading.
#define DEFINE_MORE_COLUMNS(NAME, BITS, BIAS, HALVES, HAS_MINIMUMS)                               \
  static void FN(more_##NAME)(FN(rows) kept, const ck_columns *x, int32_t first, int32_t count,   \
                              float *y, size_t y_stride) {                                        \
    const weight_form form = {                                                                    \
        .bits = BITS, .bias = BIAS, .halves = HALVES, .has_minimums = HAS_MINIMUMS};              \
    FN(more_columns)(form, kept, x, first, count, y, y_stride);                                   \
  }
DEFINE_MORE_COLUMNS(bytes, 8, 0, 1, 0)
DEFINE_MORE_COLUMNS(minimums, 4, 0, 1, 1)
DEFINE_MORE_COLUMNS(half_minimums, 2, 0, 2, 1)
DEFINE_MORE_COLUMNS(bias_8, 4, 8, 1, 0)
DEFINE_MORE_COLUMNS(bias_16, 5, 16, 1, 0)
DEFINE_MORE_COLUMNS(half_bias_4, 3, 4, 2, 0)
DEFINE_MORE_COLUMNS(half_bias_32, 6, 32, 2, 0)
#undef DEFINE_MORE_COLUMNS

INLINE void FN(matmul_type)(const ck_type type, const uint8_t *w, int32_t rows,
                            const ck_columns *x, float *y, size_t y_stride) {
  const weight_form form = form_of(type);
  const size_t blocks = (size_t)x->length / 32, scales = blocks * (size_t)form.halves;
  const size_t row = blocks / (size_t)form.span * (size_t)form.size;
  FN(rows) kept = {.weights = x->pack};
  kept.scales = (__m512 *)(kept.weights + blocks * 8);
  kept.minimums = kept.scales + scales;
  for (int32_t r = 0; r < rows; r += 16, y += 16) {
    const int32_t count = rows - r;
    const uint8_t *group = w + (size_t)r * row;
    if (count < 16) {
      // The last group has fewer than sixteen rows. Copy them to a group that is filled up with
      // zeros.
      memcpy(x->row_quants, group, (size_t)count * row);
      memset(x->row_quants + (size_t)count * row, 0, (size_t)(16 - count) * row);
      group = x->row_quants;
    }
    int32_t done = x->batch == 1 ? 1 : x->batch < AVX512_COLUMNS ? 0 : AVX512_COLUMNS;
    switch (done) {
      case 0: FN(read_rows)(type, group, row, x, kept, count, y, y_stride, 0); break;
      case 1: FN(read_rows)(type, group, row, x, kept, count, y, y_stride, 1); break;
      default: FN(read_rows)(type, group, row, x, kept, count, y, y_stride, AVX512_COLUMNS);
    }
    if (done == x->batch) continue;
    if (form.bits == 8) FN(more_bytes)(kept, x, done, count, y, y_stride);
    else if (form.halves == 2 && form.has_minimums)
      FN(more_half_minimums)(kept, x, done, count, y, y_stride);
    else if (form.has_minimums) FN(more_minimums)(kept, x, done, count, y, y_stride);
    else if (form.bias == 8) FN(more_bias_8)(kept, x, done, count, y, y_stride);
    else if (form.bias == 16) FN(more_bias_16)(kept, x, done, count, y, y_stride);
    else if (form.bias == 4) FN(more_half_bias_4)(kept, x, done, count, y, y_stride);
    else FN(more_half_bias_32)(kept, x, done, count, y, y_stride);
  }
}
