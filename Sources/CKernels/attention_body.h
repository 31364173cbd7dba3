// The attention of a layer. This file is compiled once per instruction set, after layers_body.h,
// because it uses that file's exponential.
//
// A *row* is one query head of one reader. All rows that read the same page are multiplied
// together, so each vector of keys or values is loaded and converted to floats once for many rows:
//
//   scores    queries [length][rows]     × keys of a page [length][32]    → [rows][positions]
//   mix       scores [rows][positions]   × values of a page [32][length]  → [rows][length]
//
// Each result is summed in a separate lane: a score over the elements of its key in order, a
// mixed value over the positions in order. So the bits don't depend on which rows are computed
// together.

// The numbers of rows whose sums fit into registers.
#if defined(HAS_AVX512)
#define SCORE_ROWS(BY) BY(12) BY(6) BY(3) BY(2) BY(1)
#define MIX_ROWS(BY) BY(6) BY(3) BY(2) BY(1)
#define MIX_VECTORS 4
#else
#define SCORE_ROWS(BY) BY(2) BY(1)
#define MIX_ROWS(BY) BY(2) BY(1)
#define MIX_VECTORS 2
#endif

// Loads 16 elements of a page.
#define LOAD_STORED(p, at) \
  (halves ? LOAD_F16((const uint16_t *)(p) + (at)) : LOAD_F32((const float *)(p) + (at)))

// Returns the address of an element of a page.
INLINE const void *FN(element)(const void *page, size_t at, const int halves) {
  return halves ? (const void *)((const uint16_t *)page + at)
                : (const void *)((const float *)page + at);
}

// Prefetches elements of a page, which begin at a multiple of a cache line, to the second-level
// cache. The first-level cache can wait for only a few lines at the same time, so prefetching to it
// would take twice as long.
INLINE void FN(prefetch)(const void *page, size_t at, const int count, const int halves) {
  if (page == 0) return;
  const int line = halves ? 32 : 16;
  UNROLL for (int e = 0; e < count; e += line)
      __builtin_prefetch(FN(element)(page, at + (size_t)e, halves), 0, 2);
}

// Rounds 16 floats to the nearest halves, and to the even one if two are equally near. Numbers
// beyond the largest half, and NaN, become the largest half.
INLINE void FN(round_to_halves)(const f32x16 *values, uint16_t *y) {
  const u32x16 bits = (u32x16)*values, sign = bits >> 16 & 0x8000;
  const f32x16 size = __builtin_elementwise_min((f32x16)(bits & 0x7fffffff), ZERO16 + 65504.0f);
  // A float between 0.5 and 1 has the spacing of the halves below 2^-14.
  const u32x16 small = (u32x16)(size + 0.5f) - 0x3f000000;
  const u32x16 b = (u32x16)size, normal = (b + 0xfff + (b >> 13 & 1) - (112 << 23)) >> 13;
  const u32x16 is_small = (u32x16)(size < ZERO16 + 0x1p-14f);
  *(u16x16u *)y =
      __builtin_convertvector((small & is_small) | (normal & ~is_small) | sign, u16x16u);
}

static void FN(store_position)(const float *key, const float *value, void *keys, void *values,
                               int32_t place, int32_t length, int halves) {
  const size_t n = (size_t)length, at = (size_t)place;
  if (!halves) {
    for (size_t i = 0; i < n; i++) ((float *)keys)[i * CK_PAGE + at] = key[i];
    for (size_t i = 0; i < n; i++)
      ((float *)values)[at * n + i] = fminf(fmaxf(value[i], -FLT_MAX), FLT_MAX);
    return;
  }
  for (size_t i = 0; i < n; i += 16) {
    const size_t count = n - i < 16 ? n - i : 16;
    f32x16 k = ZERO16, v = ZERO16;
    uint16_t key_halves[16], value_halves[16];
    memcpy(&k, key + i, count * sizeof(float));
    memcpy(&v, value + i, count * sizeof(float));
    FN(round_to_halves)(&k, key_halves);
    FN(round_to_halves)(&v, value_halves);
    for (size_t e = 0; e < count; e++)
      ((uint16_t *)keys)[(i + e) * CK_PAGE + at] = key_halves[e];
    memcpy((uint16_t *)values + at * n + i, value_halves, count * sizeof(uint16_t));
  }
}

// Computes the scores of rt rows for all positions of a page, and prefetches the next page if there
// is one. Element i of the queries is at queries[i * rows].
INLINE void FN(page_scores)(const float *queries, size_t rows, const void *keys, const void *next,
                            size_t length, float scale, float *scores, size_t stride, const int rt,
                            const int halves) {
  f32x16 sum[12][2];
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < 2; c++) sum[r][c] = ZERO16;
  for (size_t i = 0; i < length; i++, queries += rows) {
    const f32x16 key[2] = {LOAD_STORED(keys, i * CK_PAGE), LOAD_STORED(keys, i * CK_PAGE + 16)};
    FN(prefetch)(next, i * CK_PAGE, CK_PAGE, halves);
    UNROLL for (int r = 0; r < rt; r++) {
      const f32x16 query = SPLAT16(queries[r]);
      UNROLL for (int c = 0; c < 2; c++) sum[r][c] = FMA16(query, key[c], sum[r][c]);
    }
  }
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < 2; c++)
      *(f32x16u *)(scores + (size_t)r * stride + 16 * c) = sum[r][c] * scale;
}

// Replaces each score by exp(score - largest score). Skipped positions get 0, and so do the places
// between the last position and the end of its page. Returns 1 divided by the sum of the results.
static inline float FN(soften)(float *scores, int32_t positions, int32_t skipped) {
  const int32_t end = (positions + CK_PAGE - 1) / CK_PAGE * CK_PAGE;
  for (int32_t t = 0; t < skipped; t++) scores[t] = -INFINITY;
  for (int32_t t = positions; t < end; t++) scores[t] = -INFINITY;
  f32x16 peak = LOAD_F32(scores);
  for (int32_t t = 16; t < end; t += 16)
    peak = __builtin_elementwise_max(peak, LOAD_F32(scores + t));
  const float most = FN(largest)(&peak);
  f32x16 total = ZERO16;
  for (int32_t t = 0; t < end; t += 16) {
    f32x16 e = LOAD_F32(scores + t) - most;
    FN(exponential)(&e);
    *(f32x16u *)(scores + t) = e;
    total = total + e;
  }
  return 1.0f / FN(fold)(&total);
}

// Adds 16 * ct elements of a page's values, weighted with the scores of rt rows, to the rows' sums.
INLINE void FN(mix)(const float *scores, size_t stride, const void *values, const void *next,
                    size_t first, size_t length, int32_t count, float *sums, const int rt,
                    const int ct, const int halves) {
  f32x16 sum[6][4];
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++)
      sum[r][c] = LOAD_F32(sums + (size_t)r * length + first + 16 * c);
  for (int32_t t = 0; t < count; t++) {
    const size_t at = (size_t)t * length + first;
    f32x16 value[4];
    UNROLL for (int c = 0; c < ct; c++) value[c] = LOAD_STORED(values, at + 16 * c);
    FN(prefetch)(next, at, 16 * ct, halves);
    UNROLL for (int r = 0; r < rt; r++) {
      const f32x16 weight = SPLAT16(scores[(size_t)r * stride + t]);
      UNROLL for (int c = 0; c < ct; c++) sum[r][c] = FMA16(weight, value[c], sum[r][c]);
    }
  }
  UNROLL for (int r = 0; r < rt; r++) UNROLL for (int c = 0; c < ct; c++)
      *(f32x16u *)(sums + (size_t)r * length + first + 16 * c) = sum[r][c];
}

INLINE void FN(page_mix)(const float *scores, size_t stride, const void *values, const void *next,
                         size_t length, int32_t count, float *sums, const int rt,
                         const int halves) {
  size_t i = 0;
#define MIX(ct)                                          \
  for (; i + 16 * (ct) <= length; i += 16 * (ct))        \
    FN(mix)(scores, stride, values, next, i, length, count, sums, rt, ct, halves);
  MIX(MIX_VECTORS)
  MIX(1)
#undef MIX
  for (; i < length; i++)
    for (int r = 0; r < rt; r++)
      for (int32_t t = 0; t < count; t++) {
        const size_t at = (size_t)t * length + i;
        const float value =
            halves ? half_to_float(((const uint16_t *)values)[at]) : ((const float *)values)[at];
        float *sum = sums + (size_t)r * length + i;
        *sum = fmaf(scores[(size_t)r * stride + t], value, *sum);
      }
}

// Returns the end of the consecutive readers, beginning with reader r, that read the same page.
static inline int32_t FN(end_of_page)(const ck_reader *readers, int32_t count, int32_t r,
                                      int32_t page) {
  const void *now = readers[r].pages[page];
  do r++;
  while (r < count && readers[r].positions > page * CK_PAGE && readers[r].pages[page] == now);
  return r;
}

// Returns the page to read next if all readers before reader r have read page `page`, or null if
// there is none.
static inline const void *FN(page_after)(const ck_reader *readers, int32_t count, int32_t r,
                                         int32_t page) {
  for (int32_t p = page; p < page + 2; p++, r = 0)
    for (; r < count; r++)
      if (readers[r].positions > p * CK_PAGE) return readers[r].pages[p];
  return 0;
}

// Computes the attention page by page. All readers and heads read a page before the next page is
// read. So a page that several readers share is loaded from memory only once.
INLINE void FN(attend)(const ck_reader *readers, int32_t count, int32_t heads, size_t keys,
                       size_t values, int32_t length, float scale, size_t stride, float *scores,
                       float *sums, const int halves) {
  const size_t n = (size_t)length, rows = (size_t)(count * heads);
  // The sums are followed by the transposed queries, and by each row's factor: 1 divided by the sum
  // of its exponentials.
  float *queries = sums + rows * n, *factors = queries + rows * n;
  int32_t longest = 0;
  for (size_t row = 0; row < rows; row++) {
    const ck_reader *reader = readers + row / (size_t)heads;
    const float *query = reader->query + row % (size_t)heads * n;
    for (size_t i = 0; i < n; i++) queries[i * rows + row] = query[i];
    if (reader->positions > longest) longest = reader->positions;
  }
// Computes TILES for each page, with the readers from `r` to `after` that read it, and their rows
// from `row` to `end`.
#define FOR_EACH_PAGE(offset, TILES)                                                    \
  for (int32_t start = 0; start < longest; start += CK_PAGE)                            \
    for (int32_t r = 0, after; r < count; r = after) {                                  \
      after = r + 1;                                                                    \
      if (readers[r].positions <= start) continue;                                      \
      const int32_t number = start / CK_PAGE;                                           \
      after = FN(end_of_page)(readers, count, r, number);                               \
      const void *page = FN(element)(readers[r].pages[number], offset, halves);         \
      const void *next = FN(page_after)(readers, count, after, number);                 \
      if (next != 0) next = FN(element)(next, offset, halves);                          \
      size_t row = (size_t)(r * heads);                                                 \
      const size_t end = (size_t)(after * heads);                                       \
      TILES                                                                             \
    }
#define SCORES(rt)                                                                      \
  for (; row + rt <= end; row += rt, next = 0)                                          \
    FN(page_scores)(queries + row, rows, page, next, n, scale,                          \
                    scores + row * stride + start, stride, rt, halves);
  FOR_EACH_PAGE(keys, SCORE_ROWS(SCORES))
#undef SCORES
  for (size_t row = 0; row < rows; row++) {
    const ck_reader *reader = readers + row / (size_t)heads;
    factors[row] = FN(soften)(scores + row * stride, reader->positions, reader->skipped);
  }
  memset(sums, 0, rows * n * sizeof(float));
// A reader whose last position is in this page has scores of 0 after that position.
#define MIX(rt)                                                                         \
  for (; row + rt <= end; row += rt, next = 0)                                          \
    FN(page_mix)(scores + row * stride + start, stride, page, next, n, most,            \
                 sums + row * n, rt, halves);
  FOR_EACH_PAGE(values, {
    int32_t most = 0;
    for (int32_t k = r; k < after; k++)
      if (readers[k].positions - start > most) most = readers[k].positions - start;
    if (most > CK_PAGE) most = CK_PAGE;
    MIX_ROWS(MIX)
  })
#undef MIX
#undef FOR_EACH_PAGE
  for (size_t row = 0; row < rows; row++) {
    float *y = readers[row / (size_t)heads].y + row % (size_t)heads * n;
    for (size_t i = 0; i < n; i++) y[i] = sums[row * n + i] * factors[row];
  }
}

static void FN(attention)(const ck_reader *readers, int32_t count, int32_t heads, size_t keys,
                          size_t values, int32_t length, float scale, size_t stride,
                          float *scores, float *sums, int halves) {
  if (halves) {
    FN(attend)(readers, count, heads, keys, values, length, scale, stride, scores, sums, 1);
  } else {
    FN(attend)(readers, count, heads, keys, values, length, scale, stride, scores, sums, 0);
  }
}

#undef SCORE_ROWS
#undef MIX_ROWS
#undef MIX_VECTORS
#undef LOAD_STORED
#undef LOAD_F32
#undef LOAD_F16
#undef LOAD_BF16
#undef DEFINE_FLOAT_PRODUCT
#undef HALF
