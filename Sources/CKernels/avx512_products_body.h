// Products with quantized weights for AVX-512, sixteen rows at a time. This file is compiled after
// avx512_rows_body.h. The sums are the same as in rounded_products_body.h. Lane k of sixteen holds
// the sum of row k. Each vector of weights has four elements of each row, and is multiplied by the
// matching four activations of a column.
//
// There are two methods. Storing a vector takes as long as multiplying it by two columns, so the
// first method is faster unless there are many columns:
//
//   few columns    each group of 32 elements is multiplied by all columns, sixteen at most, while
//                  the rows are being read
//   many columns   the rows are read once and kept in `ck_columns.pack`. The first eight columns
//                  are multiplied while the rows are being read, because the processor has
//                  different units for reading and multiplying. The others are multiplied by the
//                  kept rows, eight at a time

// The number of columns that are multiplied together. With more, their sums don't fit into
// registers.
#define AVX512_COLUMNS CK_COLUMNS

// The maximum number of columns that are multiplied while the rows are being read. Their totals and
// the weights of a group fit into registers.
#define AVX512_FUSED 16

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
      sum[c] = _mm512_setzero_si512();
      if (form.bits == 8 || form.bias != 0)
        sum[c] = _mm512_set1_epi32(offsets[(size_t)c * groups + (size_t)h]);
      if (form.bits != 8 && form.bias != 0) {
        // Keep the compiler from shifting before broadcasting, which would need a slow move from a
        // general register.
        __asm__("" : "+v"(sum[c]));
        sum[c] = _mm512_srai_epi32(sum[c], (unsigned)bias_shift(form));
      }
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

// Where the totals of sixteen rows belong: in the rows' places in each column.
typedef struct FN(results) {
  float *y;
  size_t stride;   // from column to column
  __mmask16 rows;  // the rows that exist
} FN(results);

// Stores the totals of ct columns, beginning with `first`, except those of columns that don't
// exist.
INLINE void FN(store_results)(const __m512 *total, const ck_columns *x, FN(results) results,
                              int32_t first, const int ct) {
  float *y = results.y + (size_t)first * results.stride;
  UNROLL for (int32_t c = 0; c < ct; c++)
      if (first + c < x->batch)
        _mm512_mask_storeu_ps(y + (size_t)c * results.stride, results.rows, total[c]);
}

// Multiplies sixteen rows by the first ct columns while the rows are being read. Also keeps the
// unpacked rows if `keeps` is true.
INLINE void FN(read_rows)(const ck_type type, const uint8_t *p, size_t row, const ck_columns *x,
                          FN(rows) kept, FN(results) results, const int ct, const int keeps) {
  const weight_form form = form_of(type);
  const size_t span = (size_t)form.span, halves = (size_t)form.halves;
  const size_t blocks = (size_t)x->length / 32 / span;
  // Prefetch a share of a block with each of its groups. The processor can't wait for more than a
  // few dozen lines at a time.
  const size_t ahead = FN(distance)(16 * row), share = 16 * (size_t)form.size / span;
  // With many columns per byte, there is time to wait for the memory.
  const int waits = share <= 40 * (size_t)ct && !keeps;
  // The weights, the totals, and the sums of the columns that are multiplied together have to fit
  // into 32 registers.
  const int together = ct <= AVX512_COLUMNS ? ct : halves == 2 ? 4 : ct / 2;
  __m512 total[AVX512_FUSED];
  UNROLL for (int c = 0; c < ct; c++) total[c] = _mm512_setzero_ps();
  for (size_t i = 0; i < blocks; i++, p += form.size) {
    __m512 some_scales[16], some_minimums[16];
    __m512i some_weights[8];
    FN(shared) shared;
    __m512 *scales = keeps ? kept.scales : some_scales;
    __m512 *minimums = keeps ? kept.minimums : some_minimums;
    FN(block_scales)(type, p, row, &shared, scales, minimums);
    UNROLL for (size_t j = 0; j < span; j++) {
      const uintptr_t now = (uintptr_t)p + i * 15 * (size_t)form.size + j * share;
      __m512i *weights = keeps ? kept.weights + 8 * j : some_weights;
      FN(fetch)(now, ahead, share, waits);
      // If the memory is slower than this loop, the processor drops some prefetches. So prefetch
      // once more before the rows are read.
      if (ct == 1) FN(fetch)(now, 16 * row, share, 0);
      FN(block_weights)(type, p, row, (int)j, &shared, weights);
      UNROLL for (int c = 0; c < ct; c += together)
          FN(add_group)(form, weights, scales + j * halves, minimums + j * halves, x, i * span + j,
                        c, total + c, together);
    }
    if (!keeps) continue;
    kept.weights += 8 * span;
    kept.scales += span * halves;
    kept.minimums += span * halves;
  }
  FN(store_results)(total, x, results, 0, ct);
}

// Multiplies kept rows by all columns except the first AVX512_COLUMNS.
INLINE void FN(kept_by_others)(const weight_form form, FN(rows) rows, const ck_columns *x,
                               FN(results) results) {
  for (int32_t c = AVX512_COLUMNS; c < x->batch; c += AVX512_COLUMNS) {
    __m512 total[AVX512_COLUMNS];
    UNROLL for (int k = 0; k < AVX512_COLUMNS; k++) total[k] = _mm512_setzero_ps();
    for (size_t g = 0; g < (size_t)x->length / 32; g++)
      FN(add_group)(form, rows.weights + 8 * g, rows.scales + g * (size_t)form.halves,
                    rows.minimums + g * (size_t)form.halves, x, g, c, total, AVX512_COLUMNS);
    FN(store_results)(total, x, results, c, AVX512_COLUMNS);
  }
}

// Several types share these functions, because only the form of the weights matters after reading.
#define DEFINE_KEPT(NAME, BITS, BIAS, HALVES, HAS_MINIMUMS)                                      \
  static __attribute__((noinline)) void FN(kept_##NAME)(FN(rows) rows, const ck_columns *x,      \
                                                        FN(results) results) {                   \
    const weight_form form = {                                                                   \
        .bits = BITS, .bias = BIAS, .halves = HALVES, .has_minimums = HAS_MINIMUMS};             \
    FN(kept_by_others)(form, rows, x, results);                                                  \
  }
DEFINE_KEPT(bytes, 8, 0, 1, 0)
DEFINE_KEPT(minimums, 4, 0, 1, 1)
DEFINE_KEPT(half_minimums, 2, 0, 2, 1)
DEFINE_KEPT(bias_8, 4, 8, 1, 0)
DEFINE_KEPT(bias_16, 5, 16, 1, 0)
DEFINE_KEPT(half_bias_4, 3, 4, 2, 0)
DEFINE_KEPT(half_bias_32, 6, 32, 2, 0)
#undef DEFINE_KEPT

// Multiplies sixteen rows by at most AVX512_FUSED columns.
INLINE void FN(by_few)(const ck_type type, const uint8_t *p, size_t row, const ck_columns *x,
                       FN(results) results) {
  const FN(rows) none = {0};
  // The columns after the last one, up to a multiple of four, contain meaningless numbers.
  switch ((x->batch + 3) / 4) {
    case 1: FN(read_rows)(type, p, row, x, none, results, 4, 0); break;
    case 2: FN(read_rows)(type, p, row, x, none, results, 8, 0); break;
    case 3: FN(read_rows)(type, p, row, x, none, results, 12, 0); break;
    default: FN(read_rows)(type, p, row, x, none, results, AVX512_FUSED, 0);
  }
}

// Multiplies sixteen rows by more than AVX512_COLUMNS columns.
INLINE void FN(by_many)(const ck_type type, const uint8_t *p, size_t row, const ck_columns *x,
                        FN(results) results) {
  const weight_form form = form_of(type);
  FN(rows) rows = {.weights = x->pack};
  rows.scales = (__m512 *)(rows.weights + x->length / 32 * 8);
  rows.minimums = rows.scales + x->length / 32 * form.halves;
  FN(read_rows)(type, p, row, x, rows, results, AVX512_COLUMNS, 1);
#define KEPT(NAME) FN(kept_##NAME)(rows, x, results)
  if (form.bits == 8) KEPT(bytes);
  else if (form.halves == 2 && form.has_minimums) KEPT(half_minimums);
  else if (form.has_minimums) KEPT(minimums);
  else if (form.bias == 8) KEPT(bias_8);
  else if (form.bias == 16) KEPT(bias_16);
  else if (form.bias == 4) KEPT(half_bias_4);
  else KEPT(half_bias_32);
#undef KEPT
}

// Returns at most AVX512_FUSED columns, beginning with `first`.
INLINE ck_columns FN(columns_from)(const ck_columns *x, int32_t first) {
  const size_t c = (size_t)first, blocks = (size_t)x->length / 32;
  ck_columns some = *x;
  some.quants += c * (size_t)x->length;
  some.scales += c * blocks;
  some.sums += c * blocks;
  some.half_sums += c * blocks * 2;
  some.offsets += c * blocks;
  some.half_offsets += c * blocks * 2;
  some.batch = x->batch - first < AVX512_FUSED ? x->batch - first : AVX512_FUSED;
  return some;
}

INLINE void FN(matmul_type)(const ck_type type, const uint8_t *w, int32_t rows,
                            const ck_columns *x, float *y, size_t y_stride) {
  const weight_form form = form_of(type);
  const size_t row = (size_t)(x->length / 32 / form.span * form.size);
  // Rows of types with neither minimums nor two scales for 32 elements take longer to read, so the
  // kernel reads them only once.
  const int reads_twice = form.has_minimums || form.halves == 2;
  const int is_fused = x->batch <= (reads_twice ? 2 : 1) * AVX512_FUSED;
  ck_columns parts[2] = {FN(columns_from)(x, 0)};
  if (x->batch > AVX512_FUSED) parts[1] = FN(columns_from)(x, AVX512_FUSED);
  for (int32_t r = 0; r < rows; r += 16) {
    const int32_t count = rows - r;
    const uint8_t *group = w + (size_t)r * row;
    FN(results) results = {.y = y + r, .stride = y_stride, .rows = 0xffff};
    if (count < 16) {
      // The last group has fewer than sixteen rows. Copy them to a group that is filled up with
      // zeros.
      memcpy(x->row_quants, group, (size_t)count * row);
      memset(x->row_quants + (size_t)count * row, 0, (size_t)(16 - count) * row);
      group = x->row_quants;
      results.rows = (__mmask16)((1 << count) - 1);
    }
    if (x->batch == 1)
      FN(read_rows)(type, group, row, x, (FN(rows)){0}, results, 1, 0);
    else if (is_fused)
      // A loop, so that there is only one copy of the inlined function.
      for (int k = 0; k < 2 && parts[k].batch > 0; k++, results.y += AVX512_FUSED * y_stride)
        FN(by_few)(type, group, row, parts + k, results);
    else
      FN(by_many)(type, group, row, x, results);
  }
}
