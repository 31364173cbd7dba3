// Products with quantized weights for AVX2, eight rows at a time. This file is compiled after
// avx2_rows_body.h. The sums are the same as in rounded_products_body.h. Lane k of eight holds the
// sum of row k.
//
//   one column     pairs (see avx2_rows_body.h) are multiplied without reordering, and their lanes
//                  are added up
//   more columns   the pairs of a block are transposed once, so that each vector has four elements
//                  of each row, and multiplied by the matching four activations of every column
//
// Weights with fewer than 8 bits stay unsigned, so that sums of several products fit into 16 bits.
// The contribution of the bias is subtracted from the exact sum.

// The maximum number of columns to multiply by the same unpacked weights.
#define AVX2_COLUMNS 16

// The 32 activations of a column in a block, with the other numbers that products need. The records
// are sorted by block, then by column.
typedef struct FN(record) {
  int8_t quants[32];
  float scale;
  // One number for each half of the block. If the block has only one scale, the first number is
  // for the whole block.
  float sums[2];
  int32_t offsets[2];
  int32_t unused[3];
} FN(record);

#define ONES _mm256_set1_epi16(1)

// Adds up the lanes of four pairs. Lane k of the result is the sum of row k. Each 16-bit word is
// already a sum of `products` products. Each product has a weight with `bits` bits and an
// activation from -127 to 127.
INLINE __m256i FN(lanes)(const __m256i *v, const int bits, const int products) {
  const int most = ((1 << bits) - 1) * 127;
#define FOLD32(add, p, q) add(_mm256_unpacklo_epi32(p, q), _mm256_unpackhi_epi32(p, q))
  __m256i a = FOLD32(_mm256_add_epi16, v[0], v[1]), b = FOLD32(_mm256_add_epi16, v[2], v[3]);
  if (4 * products * most < 1 << 15) {
    __m256i all = _mm256_add_epi16(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    return _mm256_madd_epi16(all, ONES);
  }
  a = _mm256_madd_epi16(a, ONES);
  b = _mm256_madd_epi16(b, ONES);
  return _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

// Multiplies a block's pairs by one column. `sums` receives the sum of the block, or of each half.
INLINE void FN(pair_sums)(const weight_form form, const __m256i *low, const __m256i *high,
                          const int8_t *x, __m256i *sums) {
  const __m256i first = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)x));
  const __m256i second = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(x + 16)));
  __m256i a[4], b[4];
  if (form.bits == 8) {
    // |w| <= 128 and |x| <= 127, so the sum of two products stays below 2^15.
    UNROLL for (int k = 0; k < 4; k++) {
      a[k] = _mm256_maddubs_epi16(_mm256_abs_epi8(low[k]), _mm256_sign_epi8(first, low[k]));
      b[k] = _mm256_maddubs_epi16(_mm256_abs_epi8(high[k]), _mm256_sign_epi8(second, high[k]));
      a[k] = _mm256_add_epi32(_mm256_madd_epi16(a[k], ONES), _mm256_madd_epi16(b[k], ONES));
    }
    __m256i c = FOLD32(_mm256_add_epi32, a[0], a[1]), d = FOLD32(_mm256_add_epi32, a[2], a[3]);
    sums[0] = _mm256_add_epi32(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    return;
  }
  UNROLL for (int k = 0; k < 4; k++) {
    a[k] = _mm256_maddubs_epi16(low[k], first);
    b[k] = _mm256_maddubs_epi16(high[k], second);
    if (form.halves == 1) a[k] = _mm256_add_epi16(a[k], b[k]);
  }
  sums[0] = FN(lanes)(a, form.bits, form.halves == 1 ? 4 : 2);
  if (form.halves == 2) sums[1] = FN(lanes)(b, form.bits, 2);
}

// Multiplies four transposed vectors by 16 activations of a column. The products are added as
// 16-bit words as long as the sums fit, and then as 32-bit words.
INLINE __m256i FN(turned_sum)(const weight_form form, const __m256i *w, const int8_t *x) {
  __m256i sum = _mm256_setzero_si256(), words = sum;
  const int fits = ((1 << form.bits) - 1) * 127 * 8 < 1 << 15 ? 4 : 2;
  UNROLL for (int e = 0; e < 4; e++) {
    const __m256i four = _mm256_set1_epi32(FN(load_four)(x + 4 * e));
    if (form.bits == 8) {
      words = _mm256_maddubs_epi16(_mm256_abs_epi8(w[e]), _mm256_sign_epi8(four, w[e]));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(words, ONES));
    } else {
      const __m256i product = _mm256_maddubs_epi16(w[e], four);
      words = e % fits == 0 ? product : _mm256_add_epi16(words, product);
      if (e % fits == fits - 1) sum = _mm256_add_epi32(sum, _mm256_madd_epi16(words, ONES));
    }
  }
  return sum;
}

// Subtracts the contribution of the bias from the sums of a block or half a block, applies the
// scales and minimums, and adds the results to the rows' totals.
INLINE __m256 FN(add_sums)(const weight_form form, __m256i sums, int32_t offset, __m256 scale,
                           __m256 minimum, float dx, float x_sum, __m256 total) {
  if (form.bias != 0) sums = _mm256_add_epi32(sums, _mm256_set1_epi32(offset >> bias_shift(form)));
  scale = _mm256_mul_ps(scale, _mm256_set1_ps(dx));
  total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums), scale, total);
  if (form.has_minimums) total = _mm256_fmadd_ps(minimum, _mm256_set1_ps(x_sum), total);
  return total;
}

INLINE __m256 FN(eight_by_one)(const ck_type type, const uint8_t *p, size_t row,
                               const ck_columns *x) {
  const weight_form form = form_of(type);
  const size_t count = (size_t)x->length / 32 / (size_t)form.span;
  __m256 total = _mm256_setzero_ps(), scales[16], minimums[16];
  const int8_t *quants = x->quants;
  const float *dx = x->scales, *sums = form.halves == 2 ? x->half_sums : x->sums;
  const int32_t *offsets = form.halves == 2 ? x->half_offsets : x->offsets;
  const size_t ahead = FN(distance)(8 * row), share = 8 * (size_t)form.size / (size_t)form.span;
  for (size_t i = 0; i < count; i++, p += form.size) {
    FN(block_scales)(type, p, row, scales, minimums);
    UNROLL for (int j = 0; j < form.span; j++) {
      FN(fetch)((uintptr_t)p + i * 7 * (size_t)form.size + (size_t)j * share, ahead, share, 0);
      __m256i low[4], high[4], products[2];
      FN(block_weights)(type, p, row, j, low, high);
      FN(pair_sums)(form, low, high, quants, products);
      UNROLL for (int h = 0; h < form.halves; h++)
          total = FN(add_sums)(form, products[h], offsets[h], scales[j * form.halves + h],
                               minimums[j * form.halves + h], *dx, sums[h], total);
      quants += 32;
      dx++;
      sums += form.halves;
      offsets += form.halves;
    }
  }
  return total;
}

INLINE void FN(eight_by_more)(const ck_type type, const uint8_t *p, size_t row,
                              const FN(record) *x, const size_t blocks, const int32_t columns,
                              __m256 *total) {
  const weight_form form = form_of(type);
  const size_t count = blocks / (size_t)form.span;
  __m256 scales[16], minimums[16];
  for (int32_t c = 0; c < columns; c++) total[c] = _mm256_setzero_ps();
  const size_t ahead = FN(distance)(8 * row), share = 8 * (size_t)form.size / (size_t)form.span;
  for (size_t i = 0; i < count; i++, p += form.size) {
    FN(block_scales)(type, p, row, scales, minimums);
    UNROLL for (int j = 0; j < form.span; j++) {
      FN(fetch)((uintptr_t)p + i * 7 * (size_t)form.size + (size_t)j * share, ahead, share, 0);
      __m256i low[4], high[4], first[4], second[4];
      FN(block_weights)(type, p, row, j, low, high);
      FN(turn)(low, first);
      FN(turn)(high, second);
      for (int32_t c = 0; c < columns; c++, x++) {
        __m256i a = FN(turned_sum)(form, first, x->quants);
        __m256i b = FN(turned_sum)(form, second, x->quants + 16);
        if (form.halves == 1) {
          total[c] = FN(add_sums)(form, _mm256_add_epi32(a, b), x->offsets[0], scales[j],
                                  minimums[j], x->scale, x->sums[0], total[c]);
        } else {
          __m256 t = FN(add_sums)(form, a, x->offsets[0], scales[2 * j], minimums[2 * j], x->scale,
                                  x->sums[0], total[c]);
          total[c] = FN(add_sums)(form, b, x->offsets[1], scales[2 * j + 1], minimums[2 * j + 1],
                                  x->scale, x->sums[1], t);
        }
      }
    }
  }
}

// Copies the activations of `columns` columns to records, starting with column `first`.
static void FN(record_columns)(const ck_columns *x, int32_t first, int32_t columns,
                               const int halves, FN(record) *records) {
  const size_t n = (size_t)x->length, blocks = n / 32;
  for (size_t i = 0; i < blocks; i++) {
    for (size_t c = (size_t)first; c < (size_t)(first + columns); c++, records++) {
      const size_t at = c * blocks + i;
      memcpy(records->quants, x->quants + 32 * at, 32);
      records->scale = x->scales[at];
      records->sums[0] = halves == 2 ? x->half_sums[2 * at] : x->sums[at];
      records->sums[1] = x->half_sums[2 * at + 1];
      records->offsets[0] = halves == 2 ? x->half_offsets[2 * at] : x->offsets[at];
      records->offsets[1] = x->half_offsets[2 * at + 1];
    }
  }
}

// Returns the given group of rows if it has eight rows, or else a copy of the group that is filled
// up with zeros.
INLINE const uint8_t *FN(full_group)(const uint8_t *group, int32_t count, size_t row,
                                     const ck_columns *x) {
  if (count >= 8) return group;
  memcpy(x->row_quants, group, (size_t)count * row);
  memset(x->row_quants + (size_t)count * row, 0, (size_t)(8 - count) * row);
  return x->row_quants;
}

INLINE void FN(store_rows)(__m256 total, int32_t count, float *y) {
  if (count >= 8) _mm256_storeu_ps(y, total);
  else memcpy(y, &total, (size_t)count * sizeof(float));
}

INLINE void FN(matmul_type)(const ck_type type, const uint8_t *w, int32_t rows,
                            const ck_columns *x, float *y, size_t y_stride) {
  const weight_form form = form_of(type);
  const size_t blocks = (size_t)x->length / 32;
  const size_t row = blocks / (size_t)form.span * (size_t)form.size;
  if (x->batch == 1) {
    for (int32_t r = 0; r < rows; r += 8) {
      const uint8_t *group = FN(full_group)(w + (size_t)r * row, rows - r, row, x);
      FN(store_rows)(FN(eight_by_one)(type, group, row, x), rows - r, y + r);
    }
    return;
  }
  FN(record) *records = (FN(record) *)x->pack;
  for (int32_t c = 0; c < x->batch; c += AVX2_COLUMNS) {
    const int32_t columns = x->batch - c < AVX2_COLUMNS ? x->batch - c : AVX2_COLUMNS;
    FN(record_columns)(x, c, columns, form.halves, records);
    for (int32_t r = 0; r < rows; r += 8) {
      const uint8_t *group = FN(full_group)(w + (size_t)r * row, rows - r, row, x);
      __m256 total[AVX2_COLUMNS];
      FN(eight_by_more)(type, group, row, records, blocks, columns, total);
      for (int32_t k = 0; k < columns; k++)
        FN(store_rows)(total[k], rows - r, y + (size_t)(c + k) * y_stride + r);
    }
  }
}

#undef ONES
#undef FOLD32
