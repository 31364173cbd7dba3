// Reads a quantized matrix for AVX-512, sixteen rows at a time. unpack_body.h describes the
// layouts. In every vector, lane k of sixteen belongs to row k. Weights with fewer than 8 bits stay
// unsigned. Signed bytes become unsigned by adding 128.

// Transposes each square of 4 × 4 lanes.
INLINE void FN(turn)(const __m512i *z, __m512i *y) {
  __m512i a = _mm512_unpacklo_epi32(z[0], z[1]), b = _mm512_unpackhi_epi32(z[0], z[1]);
  __m512i c = _mm512_unpacklo_epi32(z[2], z[3]), d = _mm512_unpackhi_epi32(z[2], z[3]);
  y[0] = _mm512_unpacklo_epi64(a, c);
  y[1] = _mm512_unpackhi_epi64(a, c);
  y[2] = _mm512_unpacklo_epi64(b, d);
  y[3] = _mm512_unpackhi_epi64(b, d);
}

// Loads 16 bytes of each row into four vectors, each of which has four bytes of each row.
INLINE void FN(turned16)(const uint8_t *p, size_t row, __m512i *y) {
  // Hide the value of `row`, so that the compiler computes its multiples by addition instead of
  // keeping sixteen of them.
  __asm__("" : "+r"(row));
  const uint8_t *q = p + 4 * row, *s = p + 8 * row, *t = p + 12 * row;
  __m512i z[4];
  UNROLL for (size_t k = 0; k < 4; k++) {
    const size_t at = k * row;
    z[k] = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(p + at)));
    z[k] = _mm512_inserti32x4(z[k], _mm_loadu_si128((const __m128i *)(q + at)), 1);
    z[k] = _mm512_inserti32x4(z[k], _mm_loadu_si128((const __m128i *)(s + at)), 2);
    z[k] = _mm512_inserti32x4(z[k], _mm_loadu_si128((const __m128i *)(t + at)), 3);
  }
  FN(turn)(z, y);
}

// Loads 32 bytes of each row into eight vectors, with half as many loads as two calls of turned16.
// z[k] has 32 bytes of rows k and k + 4 in the first iteration, and of rows k + 8 and k + 12 in the
// second. All bits of a 128-bit lane come from one row. In the drawing, 0 to 7 are a row's groups
// of four bytes:
//
//   z[0 ..< 4]  row k: 0–3 │ row k: 4–7 │ row k + 4: 0–3 │ row k + 4: 4–7
//   t[j]        rows 0–3: j │ rows 0–3: j + 4 │ rows 4–7: j │ rows 4–7: j + 4   after transposing
//   y[j], y[j + 4]   from t[j] of rows 0–7 and that of rows 8–15
INLINE void FN(turned32)(const uint8_t *p, size_t row, __m512i *y) {
  __m512i t[8];
  __asm__("" : "+r"(row));
  UNROLL for (size_t g = 0; g < 2; g++) {
    __m512i z[4];
    UNROLL for (size_t k = 0; k < 4; k++) {
      const uint8_t *q = p + (8 * g + k) * row;
      z[k] = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)q));
      z[k] = _mm512_inserti64x4(z[k], _mm256_loadu_si256((const __m256i *)(q + 4 * row)), 1);
    }
    FN(turn)(z, t + 4 * g);
  }
  UNROLL for (int j = 0; j < 4; j++) {
    y[j] = _mm512_shuffle_i32x4(t[j], t[4 + j], 0x88);
    y[4 + j] = _mm512_shuffle_i32x4(t[j], t[4 + j], 0xdd);
  }
}

// Loads four bytes of each row.
INLINE __m512i FN(four_bytes)(const uint8_t *p, size_t row) {
  __m128i part[4];
  __asm__("" : "+r"(row));
  UNROLL for (size_t h = 0; h < 4; h++) {
    const uint8_t *q = p + 4 * h * row;
    part[h] = _mm_loadu_si32(q);
    part[h] = _mm_insert_epi32(part[h], FN(load_four)((const int8_t *)q + row), 1);
    part[h] = _mm_insert_epi32(part[h], FN(load_four)((const int8_t *)q + 2 * row), 2);
    part[h] = _mm_insert_epi32(part[h], FN(load_four)((const int8_t *)q + 3 * row), 3);
  }
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set_m128i(part[1], part[0])),
                            _mm256_set_m128i(part[3], part[2]), 1);
}

// Loads a half-precision number of each row.
INLINE __m512 FN(one_half)(const uint8_t *p, size_t row) {
  // Don't go through memory, because loading sixteen separate stores as one vector is slow.
  __m128i low = _mm_setzero_si128(), high = low;
  __asm__("" : "+r"(row));
#define INSERT(k)                                        \
  low = _mm_insert_epi16(low, load_u16(p + k * row), k); \
  high = _mm_insert_epi16(high, load_u16(p + (8 + k) * row), k);
  INSERT(0) INSERT(1) INSERT(2) INSERT(3) INSERT(4) INSERT(5) INSERT(6) INSERT(7)
#undef INSERT
  return _mm512_cvtph_ps(_mm256_set_m128i(high, low));
}

// Converts the two half-precision numbers in each lane.
INLINE void FN(two_halves)(__m512i v, __m512 *first, __m512 *second) {
  *first = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(v));
  *second = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(v, 16)));
}

// Converts byte k of each lane to a float.
INLINE __m512 FN(unsigned_byte)(__m512i v, const int k) {
  return _mm512_cvtepi32_ps(
      _mm512_and_si512(_mm512_srli_epi32(v, (unsigned)(8 * k)), _mm512_set1_epi32(255)));
}
INLINE __m512 FN(signed_byte)(__m512i v, const int k) {
  return _mm512_cvtepi32_ps(
      _mm512_srai_epi32(_mm512_slli_epi32(v, (unsigned)(24 - 8 * k)), 24));
}

INLINE __m512 FN(negated)(__m512 v) { return _mm512_xor_ps(v, _mm512_set1_ps(-0.0f)); }
INLINE __m512i FN(masked)(__m512i v, const int mask) {
  return _mm512_and_si512(v, _mm512_set1_epi8((char)mask));
}

// Moves the bits in each byte up by `count`, or down if `count` is negative. The caller masks out
// the bits that come from the neighboring byte.
INLINE __m512i FN(moved)(__m512i v, const int count) {
  return count >= 0 ? _mm512_slli_epi16(v, (unsigned)count)
                    : _mm512_srli_epi16(v, (unsigned)-count);
}

// Bytes that several groups of a block share: twice 32 bytes with low bits of weights, and 32 bytes
// with high bits.
typedef struct FN(shared) {
  __m512i low[2][8];
  __m512i high[8];
} FN(shared);

// Computes the scales and minimums of a block in the file, in the order of its elements.
INLINE void FN(block_scales)(const ck_type type, const uint8_t *p, size_t row, FN(shared) *shared,
                             __m512 *scales, __m512 *minimums) {
  __m512 d, least;
  __m512i v[4];
  switch (type) {
    case CK_Q4_1: FN(two_halves)(FN(four_bytes)(p, row), scales, minimums); return;
    case CK_Q5_0:
    case CK_Q5_1:
      FN(turned16)(p, row, v);
      FN(two_halves)(v[0], scales, &least);
      if (type == CK_Q5_1) minimums[0] = least;
      shared->high[0] = type == CK_Q5_1 ? v[1]
                                        : _mm512_or_si512(_mm512_srli_epi32(v[0], 16),
                                                          _mm512_slli_epi32(v[1], 16));
      return;
    case CK_Q2_K:
      FN(two_halves)(FN(four_bytes)(p + 80, row), &d, &least);
      FN(turned16)(p, row, v);
      UNROLL for (int j = 0; j < 16; j++) {
        __m512i bytes = v[j / 4];
        scales[j] = _mm512_mul_ps(d, FN(unsigned_byte)(FN(masked)(bytes, 15), j % 4));
        bytes = FN(masked)(FN(moved)(bytes, -4), 15);
        minimums[j] = FN(negated)(_mm512_mul_ps(least, FN(unsigned_byte)(bytes, j % 4)));
      }
      return;
    case CK_Q3_K:
      // Load the last two bytes of the weights, the 12 bytes of the scales, and d.
      FN(turned16)(p + 94, row, v);
      FN(two_halves)(v[3], &least, &d);
      {
        __m512i s[3];
        UNROLL for (int k = 0; k < 3; k++)
            s[k] = _mm512_or_si512(_mm512_srli_epi32(v[k], 16), _mm512_slli_epi32(v[k + 1], 16));
        UNROLL for (int j = 0; j < 16; j++) {
          __m512i low = j < 8 ? s[j / 4] : FN(moved)(s[j / 4 - 2], -4);
          __m512i high = FN(moved)(s[2], 4 - j / 4 * 2);
          low = _mm512_or_si512(FN(masked)(low, 15), FN(masked)(high, 48));
          low = _mm512_sub_epi8(low, _mm512_set1_epi8(32));
          scales[j] = _mm512_mul_ps(d, FN(signed_byte)(low, j % 4));
        }
      }
      return;
    case CK_Q4_K:
    case CK_Q5_K:
      FN(turned16)(p, row, v);
      FN(two_halves)(v[0], &d, &least);
      {
        __m512i high_scales = FN(masked)(FN(moved)(v[1], -2), 48);
        __m512i high_minimums = FN(masked)(FN(moved)(v[2], -2), 48);
        __m512i s[2] = {FN(masked)(v[1], 63),
                        _mm512_or_si512(FN(masked)(v[3], 15), high_scales)};
        __m512i m[2] = {FN(masked)(v[2], 63),
                        _mm512_or_si512(FN(masked)(FN(moved)(v[3], -4), 15), high_minimums)};
        UNROLL for (int j = 0; j < 8; j++) {
          scales[j] = _mm512_mul_ps(d, FN(unsigned_byte)(s[j / 4], j % 4));
          minimums[j] = FN(negated)(_mm512_mul_ps(least, FN(unsigned_byte)(m[j / 4], j % 4)));
        }
      }
      return;
    case CK_Q6_K:
      FN(turned16)(p + 192, row, v);
      d = FN(one_half)(p + 208, row);
      UNROLL for (int j = 0; j < 16; j++)
          scales[j] = _mm512_mul_ps(d, FN(signed_byte)(v[j / 4], j % 4));
      return;
    case CK_IQ4_XS:
      v[0] = FN(four_bytes)(p, row);
      v[1] = FN(four_bytes)(p + 4, row);
      FN(two_halves)(v[0], &d, &least);
      UNROLL for (int j = 0; j < 8; j++) {
        __m512i low = _mm512_and_si512(_mm512_srli_epi32(v[1], (unsigned)(4 * j)),
                                       _mm512_set1_epi32(15));
        __m512i high = _mm512_and_si512(_mm512_srli_epi32(v[0], (unsigned)(16 + 2 * j)),
                                        _mm512_set1_epi32(3));
        low = _mm512_or_si512(low, _mm512_slli_epi32(high, 4));
        scales[j] = _mm512_mul_ps(
            d, _mm512_cvtepi32_ps(_mm512_sub_epi32(low, _mm512_set1_epi32(32))));
      }
      return;
    default: scales[0] = FN(one_half)(p, row);
  }
}

// Loads the j-th group of 32 weights of a block in the file. y[e] receives weights 4e ..< 4e + 4 of
// each row. The groups of a block must be loaded in order.
INLINE void FN(block_weights)(const ck_type type, const uint8_t *p, size_t row, const int j,
                              FN(shared) *shared, __m512i *y) {
  switch (type) {
    case CK_Q4_0:
    case CK_Q4_1:
    case CK_IQ4_NL:
    case CK_IQ4_XS: {
      const size_t start = type == CK_IQ4_XS ? 8 + 16 * (size_t)j : type == CK_Q4_1 ? 4 : 2;
      const int is_nonlinear = type == CK_IQ4_NL || type == CK_IQ4_XS;
      const __m512i levels = _mm512_xor_si512(
          _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)FN(nonlinear_levels))),
          _mm512_set1_epi8((char)0x80));
      __m512i v[4];
      FN(turned16)(p + start, row, v);
      UNROLL for (int k = 0; k < 4; k++) {
        y[k] = FN(masked)(v[k], 15);
        y[4 + k] = FN(masked)(FN(moved)(v[k], -4), 15);
        if (is_nonlinear) {
          y[k] = _mm512_shuffle_epi8(levels, y[k]);
          y[4 + k] = _mm512_shuffle_epi8(levels, y[4 + k]);
        }
      }
      return;
    }
    case CK_Q5_0:
    case CK_Q5_1: {
      const size_t start = type == CK_Q5_1 ? 8 : 6;
      // In byte b of each lane, one of the bits 4 to 7 is the fifth bit of the weight: bit 4 + b of
      // byte e / 2, after moving the fifth bits up if e is even.
      const __m512i fifth[2] = {FN(moved)(shared->high[0], 4), shared->high[0]};
      const __m512i bit = _mm512_set1_epi32((int)0x80402010);
      const __m512i first = _mm512_broadcast_i32x4(
          _mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
      __m512i v[4];
      FN(turned16)(p + start, row, v);
      UNROLL for (int e = 0; e < 8; e++) {
        const __m512i at = _mm512_add_epi8(first, _mm512_set1_epi8((char)(e / 2)));
        const __m512i high = _mm512_min_epu8(
            _mm512_and_si512(_mm512_shuffle_epi8(fifth[e % 2], at), bit), _mm512_set1_epi8(16));
        y[e] = _mm512_or_si512(FN(masked)(FN(moved)(v[e % 4], e < 4 ? 0 : -4), 15), high);
      }
      return;
    }
    case CK_Q2_K:
      if (j % 4 == 0) FN(turned32)(p + 16 + j / 4 * 32, row, shared->low[0]);
      UNROLL for (int e = 0; e < 8; e++)
          y[e] = FN(masked)(FN(moved)(shared->low[0][e], -(j % 4 * 2)), 3);
      return;
    case CK_Q3_K:
      if (j == 0) FN(turned32)(p, row, shared->high);
      if (j % 4 == 0) FN(turned32)(p + 32 + j / 4 * 32, row, shared->low[0]);
      UNROLL for (int e = 0; e < 8; e++) {
        __m512i low = FN(masked)(FN(moved)(shared->low[0][e], -(j % 4 * 2)), 3);
        y[e] = _mm512_or_si512(low, FN(masked)(FN(moved)(shared->high[e], 2 - j), 4));
      }
      return;
    case CK_Q4_K:
      if (j % 2 == 0) FN(turned32)(p + 16 + j / 2 * 32, row, shared->low[0]);
      UNROLL for (int e = 0; e < 8; e++)
          y[e] = FN(masked)(FN(moved)(shared->low[0][e], -(j % 2 * 4)), 15);
      return;
    case CK_Q5_K:
      if (j == 0) FN(turned32)(p + 16, row, shared->high);
      if (j % 2 == 0) FN(turned32)(p + 48 + j / 2 * 32, row, shared->low[0]);
      UNROLL for (int e = 0; e < 8; e++) {
        __m512i low = FN(masked)(FN(moved)(shared->low[0][e], -(j % 2 * 4)), 15);
        y[e] = _mm512_or_si512(low, FN(masked)(FN(moved)(shared->high[e], 4 - j), 16));
      }
      return;
    case CK_Q6_K:
      if (j % 4 == 0) FN(turned32)(p + 128 + j / 4 * 32, row, shared->high);
      if (j % 4 < 2) FN(turned32)(p + j / 4 * 64 + j % 2 * 32, row, shared->low[j % 2]);
      UNROLL for (int e = 0; e < 8; e++) {
        __m512i low = FN(masked)(FN(moved)(shared->low[j % 2][e], -(j % 4 / 2 * 4)), 15);
        y[e] = _mm512_or_si512(low, FN(masked)(FN(moved)(shared->high[e], 4 - j % 4 * 2), 48));
      }
      return;
    default:
      FN(turned32)(p + 2, row, y);
      UNROLL for (int e = 0; e < 8; e++)
          y[e] = _mm512_xor_si512(y[e], _mm512_set1_epi8((char)0x80));
  }
}
