// The operations between matrix products: norms, attention and gates. This file is compiled once
// per instruction set, after products_body.h and rounding_body.h, because it uses their helpers.

static void FN(rms_norm)(const float *x, const float *weight, int32_t length, int32_t batch,
                         float epsilon, float *y) {
  for (int32_t b = 0; b < batch; b++, x += length, y += length) {
    f32x16 sum = ZERO16;
    int32_t i = 0;
    for (; i + 16 <= length; i += 16) {
      f32x16 v = LOAD_F32(x + i);
      sum = FMA16(v, v, sum);
    }
    if (i < length) {
      f32x16 v = ZERO16;
      for (int32_t e = i; e < length; e++) v[e - i] = x[e];
      sum = FMA16(v, v, sum);
    }
    float scale = 1.0f / sqrtf(FN(fold)(&sum) / (float)length + epsilon);
    for (i = 0; i < length; i++) y[i] = (x[i] * scale) * weight[i];
  }
}

// Computes e^x as 2^k e^r with |r| <= ln 2 / 2. The series of e^r up to r^7 has an error below
// 6e-9.
static inline __attribute__((always_inline)) void FN(exponential)(f32x16 *values) {
  f32x16 x = *values;
  f32x16 least = ZERO16 - 87.0f, most = ZERO16 + 88.0f;
  i32x16 vanishes = x < least;
  x = __builtin_elementwise_min(__builtin_elementwise_max(x, least), most);
  f32x16 k = __builtin_elementwise_rint(x * 1.44269504088896341f);
  f32x16 r = FMA16(k, ZERO16 - 0.693145751953125f, x);
  r = FMA16(k, ZERO16 - 1.42860682030941723e-6f, r);
  f32x16 p = ZERO16 + 1.0f / 5040;
  p = FMA16(p, r, ZERO16 + 1.0f / 720);
  p = FMA16(p, r, ZERO16 + 1.0f / 120);
  p = FMA16(p, r, ZERO16 + 1.0f / 24);
  p = FMA16(p, r, ZERO16 + 1.0f / 6);
  p = FMA16(p, r, ZERO16 + 0.5f);
  p = FMA16(p, r, ZERO16 + 1.0f);
  p = FMA16(p, r, ZERO16 + 1.0f);
  i32x16 power = (__builtin_convertvector(k, i32x16) + 127) << 23;
  p = p * (f32x16)power;
  *values = (f32x16)((i32x16)p & ~vanishes);
}

static void FN(exponential_of)(const float *x, float *y) {
  f32x16 v = LOAD_F32(x);
  FN(exponential)(&v);
  *(f32x16u *)y = v;
}

// Computes the scores of ct keys for ht heads together. The heads are `length` floats apart, and
// their scores are `stride` floats apart.
static inline __attribute__((always_inline)) void FN(scores)(
    const float *query, const float *keys, int32_t length, float scale, float *scores,
    size_t stride, const int ht, const int ct) {
  const size_t n = (size_t)length;
  f32x16 sum[4][4];
  UNROLL for (int h = 0; h < ht; h++) UNROLL for (int c = 0; c < ct; c++) sum[h][c] = ZERO16;
  int32_t i = 0;
  for (; i + 16 <= length; i += 16) {
    UNROLL for (int c = 0; c < ct; c++) {
      f32x16 key = LOAD_F32(keys + (size_t)c * n + i);
      UNROLL for (int h = 0; h < ht; h++)
          sum[h][c] = FMA16(LOAD_F32(query + (size_t)h * n + i), key, sum[h][c]);
    }
  }
  if (i < length) {
    UNROLL for (int h = 0; h < ht; h++) UNROLL for (int c = 0; c < ct; c++) {
      f32x16 a = ZERO16, b = ZERO16;
      for (int32_t e = i; e < length; e++) {
        a[e - i] = query[(size_t)h * n + (size_t)e];
        b[e - i] = keys[(size_t)c * n + (size_t)e];
      }
      sum[h][c] = FMA16(a, b, sum[h][c]);
    }
  }
  UNROLL for (int h = 0; h < ht; h++) {
    float *to = scores + (size_t)h * stride;
    if (ct == 4) {
      FN(fold4)(sum[h], to);
      *(f32x4u *)to = *(f32x4u *)to * scale;
    } else {
      UNROLL for (int c = 0; c < ct; c++) to[c] = FN(fold)(&sum[h][c]) * scale;
    }
  }
}

// Prefetches memory to the second-level cache. The first-level cache can wait for only a few lines
// at the same time, so prefetching to it would take twice as long.
#define PREFETCH(p) __builtin_prefetch((p), 0, 2)

// Computes the scores of a page's keys, and prefetches the next page if there is one.
static inline __attribute__((always_inline)) void FN(page_scores)(
    const float *query, const float *keys, const float *next, int32_t length, int32_t count,
    float scale, float *scores, size_t stride, const int ht) {
  const size_t n = (size_t)length;
  int32_t t = 0;
  for (; t + 4 <= count; t += 4) {
    for (size_t e = 0; next != 0 && e < 4 * n; e += 16)
      PREFETCH(next + (size_t)t * n + e);
    FN(scores)(query, keys + (size_t)t * n, length, scale, scores + t, stride, ht, 4);
  }
  for (; t < count; t++)
    FN(scores)(query, keys + (size_t)t * n, length, scale, scores + t, stride, ht, 1);
}

// Replaces each score by exp(score - largest score). Skipped positions get 0. Returns 1 divided by
// the sum of the results.
static inline float FN(soften)(float *scores, int32_t positions, int32_t skipped) {
  int32_t t = 0;
  for (; t < skipped; t++) scores[t] = -INFINITY;
  for (t = positions; t % 16 != 0; t++) scores[t] = -INFINITY;
  f32x16 peak = LOAD_F32(scores);
  for (t = 16; t < positions; t += 16)
    peak = __builtin_elementwise_max(peak, LOAD_F32(scores + t));
  const float most = FN(largest)(&peak);
  f32x16 total = ZERO16;
  for (t = 0; t < positions; t += 16) {
    f32x16 e = LOAD_F32(scores + t) - most;
    FN(exponential)(&e);
    *(f32x16u *)(scores + t) = e;
    total = total + e;
  }
  return 1.0f / FN(fold)(&total);
}

// Adds 16 * ct elements of a page's weighted values to four sums that are `length` floats apart.
// Position t is added to sum t % 4.
static inline __attribute__((always_inline)) void FN(mix)(const float *weights,
                                                          const float *values, const float *next,
                                                          size_t length, int32_t count,
                                                          float *sums, const int ct) {
  f32x16 sum[4][4];
  UNROLL for (int p = 0; p < 4; p++) UNROLL for (int c = 0; c < ct; c++)
      sum[p][c] = LOAD_F32(sums + (size_t)p * length + c * 16);
  int32_t t = 0;
  for (; t + 4 <= count; t += 4) {
    UNROLL for (int p = 0; p < 4; p++) {
      if (next != 0) {
        UNROLL for (int c = 0; c < ct; c++)
            PREFETCH(next + (size_t)(t + p) * length + c * 16);
      }
      f32x16 weight = SPLAT16(weights[t + p]);
      UNROLL for (int c = 0; c < ct; c++)
          sum[p][c] = FMA16(weight, LOAD_F32(values + (size_t)(t + p) * length + c * 16), sum[p][c]);
    }
  }
  UNROLL for (int p = 0; p < 3; p++) {
    if (t + p < count) {
      f32x16 weight = SPLAT16(weights[t + p]);
      UNROLL for (int c = 0; c < ct; c++)
          sum[p][c] = FMA16(weight, LOAD_F32(values + (size_t)(t + p) * length + c * 16), sum[p][c]);
    }
  }
  UNROLL for (int p = 0; p < 4; p++) UNROLL for (int c = 0; c < ct; c++)
      *(f32x16u *)(sums + (size_t)p * length + c * 16) = sum[p][c];
}

static inline void FN(page_mix)(const float *weights, const float *values, const float *next,
                                int32_t length, int32_t count, float *sums) {
  const size_t n = (size_t)length;
  int32_t i = 0;
#define MIX(ct) \
  FN(mix)(weights, values + i, next != 0 ? next + i : 0, n, count, sums + i, ct)
#if defined(HAS_AVX512)
  for (; i + 64 <= length; i += 64) MIX(4);
  for (; i + 32 <= length; i += 32) MIX(2);
#endif
  for (; i + 16 <= length; i += 16) MIX(1);
#undef MIX
  for (; i < length; i++)
    for (int32_t t = 0; t < count; t++) {
      float *sum = sums + (size_t)(t % 4) * n + i;
      *sum = fmaf(weights[t], values[(size_t)t * n + (size_t)i], *sum);
    }
}

// Returns the next page to read after page `page` of reader r, not counting further reads of the
// same page by other readers. Returns null if there is no next page.
static inline const float *FN(page_after)(const ck_reader *readers, int32_t count, int32_t r,
                                          int32_t page) {
  const float *now = readers[r].pages[page];
  for (int32_t p = page; p < page + 2; p++) {
    for (int32_t k = p == page ? r + 1 : 0; k < count; k++)
      if (readers[k].positions > p * CK_PAGE && readers[k].pages[p] != now)
        return readers[k].pages[p];
  }
  return 0;
}

// Computes the attention page by page. All readers and heads read a page before the next page is
// read. So a page that several readers share is loaded from memory only once.
static void FN(attention)(const ck_reader *readers, int32_t count, int32_t heads, size_t keys,
                          size_t values, int32_t length, float scale, size_t stride,
                          float *scores, float *sums) {
  const size_t n = (size_t)length, rows = (size_t)(count * heads);
  int32_t longest = 0;
  for (int32_t r = 0; r < count; r++)
    if (readers[r].positions > longest) longest = readers[r].positions;
  for (int32_t start = 0; start < longest; start += CK_PAGE) {
    for (int32_t r = 0; r < count; r++) {
      const int32_t rest = readers[r].positions - start, some = rest < CK_PAGE ? rest : CK_PAGE;
      if (rest <= 0) continue;
      const float *page = readers[r].pages[start / CK_PAGE] + keys;
      const float *next = FN(page_after)(readers, count, r, start / CK_PAGE);
      if (next != 0) next += keys;
      const float *query = readers[r].query;
      float *to = scores + (size_t)(r * heads) * stride + start;
#define SCORES(ht)                                                                            \
  FN(page_scores)(query + (size_t)h * n, page, h == 0 ? next : 0, length, some, scale,        \
                  to + (size_t)h * stride, stride, ht)
      int32_t h = 0;
#if defined(HAS_AVX512)
      for (; h + 3 <= heads; h += 3) SCORES(3);
      for (; h + 2 <= heads; h += 2) SCORES(2);
#endif
      for (; h < heads; h++) SCORES(1);
#undef SCORES
    }
  }
  // Each row's factor is 1 divided by the sum of its exponentials. It is stored after the sums of
  // values, in the same memory.
  float *inverse = sums + rows * 4 * n;
  for (size_t row = 0; row < rows; row++) {
    const ck_reader *reader = readers + row / (size_t)heads;
    inverse[row] = FN(soften)(scores + row * stride, reader->positions, reader->skipped);
  }
  memset(sums, 0, rows * 4 * n * sizeof(float));
  for (int32_t start = 0; start < longest; start += CK_PAGE) {
    for (int32_t r = 0; r < count; r++) {
      const int32_t rest = readers[r].positions - start, some = rest < CK_PAGE ? rest : CK_PAGE;
      if (rest <= 0) continue;
      const float *page = readers[r].pages[start / CK_PAGE] + values;
      const float *next = FN(page_after)(readers, count, r, start / CK_PAGE);
      if (next != 0) next += values;
      for (int32_t h = 0; h < heads; h++) {
        const size_t row = (size_t)(r * heads + h);
        FN(page_mix)(scores + row * stride + start, page, h == 0 ? next : 0, length, some,
                     sums + row * 4 * n);
      }
    }
  }
  for (size_t row = 0; row < rows; row++) {
    const float *sum = sums + row * 4 * n;
    float *y = readers[row / (size_t)heads].y + row % (size_t)heads * n;
    for (size_t i = 0; i < n; i++)
      y[i] = ((sum[i] + sum[2 * n + i]) + (sum[n + i] + sum[3 * n + i])) * inverse[row];
  }
}

// Computes 16 gates x * sigmoid(s). For SiLU, s is x. For GELU, s is 2 sqrt(2 / pi) (x + 0.044715
// x^3), which gives the tanh form because 1 + tanh(s / 2) = 2 sigmoid(s).
static inline __attribute__((always_inline)) void FN(gate)(f32x16 *gate, const int gelu) {
  f32x16 g = *gate, e = -g;
  if (gelu) {
    f32x16 cubed = g * g * g;
    e = FMA16(cubed, ZERO16 + 0.044715f, g) * -1.59576912160573071f;
  }
  FN(exponential)(&e);
  *gate = g / (e + 1.0f);
}

static inline __attribute__((always_inline)) void FN(gated)(float *gate, const float *up,
                                                            size_t count, const int gelu) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    f32x16 g = LOAD_F32(gate + i);
    FN(gate)(&g, gelu);
    *(f32x16u *)(gate + i) = g * LOAD_F32(up + i);
  }
  if (i < count) {
    f32x16 g = ZERO16;
    for (size_t k = i; k < count; k++) g[k - i] = gate[k];
    FN(gate)(&g, gelu);
    for (size_t k = i; k < count; k++) gate[k] = g[k - i] * up[k];
  }
}

static void FN(gated_silu)(float *gate, const float *up, size_t count) {
  FN(gated)(gate, up, count, 0);
}

static void FN(gated_gelu)(float *gate, const float *up, size_t count) {
  FN(gated)(gate, up, count, 1);
}

// tanh z = 1 - 2 / (e^2z + 1).
static void FN(soft_cap)(float *x, size_t count, float cap) {
  for (size_t i = 0; i < count; i += 16) {
    f32x16 v = ZERO16;
    const size_t rest = count - i < 16 ? count - i : 16;
    for (size_t k = 0; k < rest; k++) v[k] = x[i + k];
    f32x16 e = v * (2.0f / cap);
    FN(exponential)(&e);
    v = (1.0f - 2.0f / (e + 1.0f)) * cap;
    for (size_t k = 0; k < rest; k++) x[i + k] = v[k];
  }
}

#undef PREFETCH
#undef LOAD_F32
#undef LOAD_F16
#undef LOAD_BF16
#undef DEFINE_FLOAT_PRODUCT
#undef HALF
