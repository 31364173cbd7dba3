// The probabilities of a vocabulary in double precision. This file is compiled once per instruction
// set.

// Takes the bits of a where the mask has ones, and the bits of b where it has zeros.
#define SELECT(T, I, mask, a, b) ((T)(((I)(a) & (mask)) | ((I)(b) & ~(mask))))

// Sets all bits of lane k of `y` if bit k of `bits` is set, or else clears them.
static inline __attribute__((always_inline)) void FN(lanes_of_bits16)(uint64_t bits, i32x16 *y) {
  const i32x16 powers = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                         1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  *y = ((i32x16){0} + (int32_t)(bits & 0xffff) & powers) != 0;
}

static inline __attribute__((always_inline)) void FN(lanes_of_bits8)(uint64_t bits, i64x8 *y) {
  const i64x8 powers = {1, 2, 4, 8, 16, 32, 64, 128};
  *y = ((i64x8){0} + (int64_t)(bits & 0xff) & powers) != 0;
}

// Returns the largest of all logits, and stores the largest logit of a legal token in `of_legal`.
// Also stores both numbers for each CK_STRETCH tokens. NaN is ignored.
static float FN(largest_logits)(const float *logits, size_t count, const uint64_t *legal,
                                float *of_legal, float *peaks, float *legal_peaks) {
  float largest = -INFINITY, largest_legal = -INFINITY;
  for (size_t i = 0; i < count; peaks++, legal_peaks++) {
    const size_t end = count - i < CK_STRETCH ? count : i + CK_STRETCH;
    f32x16 most = ZERO16 - INFINITY, most_legal = most;
    for (; i + 16 <= end; i += 16) {
      i32x16 is_legal;
      FN(lanes_of_bits16)(legal[i / 64] >> i % 64, &is_legal);
      f32x16 v = LOAD_F32(logits + i);
      most = SELECT(f32x16, i32x16, v > most, v, most);
      most_legal = SELECT(f32x16, i32x16, (v > most_legal) & is_legal, v, most_legal);
    }
    *peaks = FN(largest)(&most);
    *legal_peaks = FN(largest)(&most_legal);
    for (; i < end; i++) {
      if (logits[i] > *peaks) *peaks = logits[i];
      if ((legal[i / 64] >> i % 64 & 1) != 0 && logits[i] > *legal_peaks) *legal_peaks = logits[i];
    }
    largest = *peaks > largest ? *peaks : largest;
    largest_legal = *legal_peaks > largest_legal ? *legal_peaks : largest_legal;
  }
  *of_legal = largest_legal;
  return largest;
}

// Returns the first token from `start` on whose logit is above a bound, or `count` if there is
// none. If `legal` is not null, the function ignores all other tokens.
static size_t FN(next_above)(const float *logits, size_t start, size_t count,
                             const uint64_t *legal, float bound) {
  size_t i = start;
  for (; i < count && i % 16 != 0; i++)
    if (logits[i] > bound && (legal == 0 || (legal[i / 64] >> i % 64 & 1) != 0)) return i;
  for (; i + 16 <= count; i += 16) {
    const i32x16 above = LOAD_F32(logits + i) > bound;
    if (!__builtin_reduce_or(above)) continue;
    for (size_t k = i; k < i + 16; k++)
      if (logits[k] > bound && (legal == 0 || (legal[k / 64] >> k % 64 & 1) != 0)) return k;
  }
  for (; i < count; i++)
    if (logits[i] > bound && (legal == 0 || (legal[i / 64] >> i % 64 & 1) != 0)) return i;
  return count;
}

// The number of vectors whose exponentials are computed together. Each operation on a vector has to
// wait for the previous one, so the processor works on the other vectors in the meantime.
#define TOGETHER 4

#define FMA8(a, b, c) __builtin_elementwise_fma((a), (b), (c))

// Computes e^x for each number x in TOGETHER vectors. NaN and numbers up to -745 become -746, which
// gives 0, and numbers above 0 become 0. The operations are the same as in ConstrainedDecoding's
// ExactMath, which explains them, so the bits are the same.
static inline __attribute__((always_inline)) void FN(exact_exponentials)(f64x8 *x, f64x8 *y) {
  const f64x8 zero = {0}, shift = zero + 0x1.8p48;
  f64x8 whole[TOGETHER], r[TOGETHER], square[TOGETHER], sum[TOGETHER], root[TOGETHER];
#define EACH UNROLL for (int v = 0; v < TOGETHER; v++)
  EACH {
    x[v] = SELECT(f64x8, i64x8, x[v] > zero - 745, __builtin_elementwise_min(x[v], zero),
                  zero - 746);
    // `whole` is x / ln 2, rounded to the nearest multiple of 1 / 16. The last bits of `shifted`
    // are 16 times this number.
    const f64x8 shifted = FMA8(x[v], zero + 0x1.71547652b82fep+0, shift);
#if defined(HAS_AVX512)
    root[v] = (f64x8)_mm512_permutex2var_pd(_mm512_loadu_pd(roots_of_two), (__m512i)shifted,
                                            _mm512_loadu_pd(roots_of_two + 8));
#else
    UNROLL for (int lane = 0; lane < 8; lane++)
        root[v][lane] = roots_of_two[((i64x8)shifted)[lane] & 15];
#endif
    whole[v] = shifted - shift;
    r[v] = FMA8(-whole[v], zero + 0x1.62e42fee00000p-1, x[v]);
    r[v] = FMA8(-whole[v], zero + 0x1.a39ef35793c76p-33, r[v]);
    square[v] = r[v] * r[v];
  }
  EACH sum[v] = FMA8(zero + 1.0 / 5040, r[v], zero + 1.0 / 720);
  EACH sum[v] = FMA8(sum[v], square[v], FMA8(zero + 1.0 / 120, r[v], zero + 1.0 / 24));
  EACH sum[v] = FMA8(sum[v], square[v], FMA8(zero + 1.0 / 6, r[v], zero + 0.5));
  EACH {
    sum[v] = FMA8(sum[v], square[v], r[v]);
    y[v] = FMA8(root[v], sum[v], root[v]);
#if defined(HAS_AVX512)
    // This multiplies by 2 to the power of the largest integer up to whole.
    y[v] = (f64x8)_mm512_scalef_pd((__m512d)y[v], (__m512d)whole[v]);
#else
    // Two factors are needed, because 2 to the power of -1077 is not a normal number.
    const i64x8 all = ((i64x8)(whole[v] + shift) - (i64x8)shift) >> 4, half = all >> 1;
    y[v] = y[v] * (f64x8)((half + 1023) << 52) * (f64x8)((all - half + 1023) << 52);
#endif
  }
#undef EACH
}

// Folds the lanes by adding lane i + 4 to lane i, then lane i + 2, then lane i + 1.
static inline double FN(fold_doubles)(const f64x8 *v) {
  const f64x8 a = *v;
  return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

// The sums of some weights: all, all times their exponents, and both for legal tokens only.
typedef struct {
  f64x8 total, spread, legal_total, legal_spread;
} FN(weight_sums);

// Computes the weights of a group of 8 * TOGETHER tokens, and adds them to the sums. The lowest
// bits of `legal` say which tokens are legal.
static inline __attribute__((always_inline)) void FN(weights_of_group)(
    const float *logits, uint64_t legal, double largest, double divisor, double *y,
    FN(weight_sums) * sums) {
  f64x8 x[TOGETHER], weight[TOGETHER];
  UNROLL for (size_t v = 0; v < TOGETHER; v++) {
    x[v] = __builtin_convertvector(*(const f32x8u *)(logits + 8 * v), f64x8) - largest;
    if (divisor != 1) x[v] = x[v] / divisor;
  }
  FN(exact_exponentials)(x, weight);
  UNROLL for (size_t v = 0; v < TOGETHER; v++) {
    const f64x8 distant = weight[v] * x[v];
    sums->total += weight[v];
    sums->spread += distant;
#if defined(HAS_AVX512)
    const __mmask8 is_legal = (__mmask8)(legal >> 8 * v);
#define ADD_LEGAL(sum, term) \
  sum = (f64x8)_mm512_mask_add_pd((__m512d)sum, is_legal, (__m512d)sum, (__m512d)term)
#else
    i64x8 is_legal;
    FN(lanes_of_bits8)(legal >> 8 * v, &is_legal);
#define ADD_LEGAL(sum, term) sum += (f64x8)((i64x8)term & is_legal)
#endif
    ADD_LEGAL(sums->legal_total, weight[v]);
    ADD_LEGAL(sums->legal_spread, distant);
#undef ADD_LEGAL
    *(f64x8u *)(y + 8 * v) = weight[v];
  }
}

// If `only_legal` is true, groups of tokens without a legal one are skipped. If the divisor is the
// constant 1, the compiler leaves out the divisions.
static inline __attribute__((always_inline)) void FN(weights_of)(
    const float *logits, size_t count, const uint64_t *legal, const int only_legal, double largest,
    double divisor, double *y, ck_sums *sums) {
  const size_t group = 8 * TOGETHER;
  FN(weight_sums) added = {0};
  size_t i = 0;
  for (; i + group <= count; i += group) {
    const uint64_t bits = legal[i / 64] >> i % 64;
    if (only_legal && (bits & ((1ull << group) - 1)) == 0) continue;
    FN(weights_of_group)(logits + i, bits, largest, divisor, y + i, &added);
  }
  if (i < count) {
    // The weight of NaN is 0, so the places after the last token don't change the sums.
    float given[8 * TOGETHER];
    double weights[8 * TOGETHER];
    for (size_t k = 0; k < group; k++) given[k] = k < count - i ? logits[i + k] : NAN;
    FN(weights_of_group)(given, legal[i / 64] >> i % 64, largest, divisor, weights, &added);
    memcpy(y + i, weights, (count - i) * sizeof(double));
  }
  sums->total = FN(fold_doubles)(&added.total);
  sums->spread = FN(fold_doubles)(&added.spread);
  sums->legal_total = FN(fold_doubles)(&added.legal_total);
  sums->legal_spread = FN(fold_doubles)(&added.legal_spread);
}

static void FN(weights)(const float *logits, size_t count, const uint64_t *legal, double largest,
                        double divisor, double *y, ck_sums *sums) {
  if (divisor == 1) FN(weights_of)(logits, count, legal, 0, largest, 1, y, sums);
  else FN(weights_of)(logits, count, legal, 0, largest, divisor, y, sums);
}

static void FN(legal_weights)(const float *logits, size_t count, const uint64_t *legal,
                              double largest, double divisor, double *y, ck_sums *sums) {
  if (divisor == 1) FN(weights_of)(logits, count, legal, 1, largest, 1, y, sums);
  else FN(weights_of)(logits, count, legal, 1, largest, divisor, y, sums);
}

// The output function of SplitMix64.
static inline __attribute__((always_inline)) void FN(mix_bits)(u64x8 *values) {
  u64x8 z = *values;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  *values = z ^ z >> 31;
}

static size_t FN(next_early)(const double *weights, size_t start, size_t count,
                             const uint64_t *legal, uint64_t key, double bound) {
  const uint64_t step = 0x9E3779B97F4A7C15u;
  const u64x8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  // The number u is (r + 0.5) / 2^53 for 53 random bits r. So 1 - u <= bound * weight is the same
  // as r >= 2^53 - 0.5 - 2^53 * bound * weight. The code subtracts 2 instead of 0.5, to cover the
  // rounding of the right side.
  const f64x8 zero = {0}, most = zero + (0x1p53 - 2), scale = zero + bound * (0x1p53 * (1 + 1e-9));
  u64x8 state = key + (lanes + start / 8 * 8) * step;
  for (size_t i = start / 8 * 8; i < count; i += 8, state += 8 * step) {
    uint64_t bits = legal[i / 64] >> i % 64 & 0xff;
    if (i < start) bits &= 0xffu << (start - i);
    if (count - i < 8) bits &= 0xffu >> (8 - (count - i));
    if (bits == 0) continue;
    u64x8 random = state;
    FN(mix_bits)(&random);
    f64x8 weight = zero;
    if (count - i < 8) memcpy(&weight, weights + i, (count - i) * sizeof(double));
    else weight = *(const f64x8u *)(weights + i);
    const f64x8 number = __builtin_convertvector((i64x8)(random >> 11), f64x8);
    const f64x8 least = FMA8(-weight, scale, most);
#if defined(HAS_AVX512)
    const unsigned early =
        _mm512_cmp_pd_mask((__m512d)number, (__m512d)least, _CMP_GE_OQ) & (unsigned)bits;
    if (early != 0) return i + (size_t)__builtin_ctz(early);
#else
    i64x8 is_legal;
    FN(lanes_of_bits8)(bits, &is_legal);
    const i64x8 early = (number >= least) & is_legal;
    if (!__builtin_reduce_or(early)) continue;
    for (size_t k = 0; k < 8; k++)
      if (early[k]) return i + k;
#endif
  }
  return count;
}

#undef SELECT
#undef FMA8
#undef TOGETHER
