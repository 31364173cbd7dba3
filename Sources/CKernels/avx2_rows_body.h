// Reads a quantized matrix for AVX2, eight rows at a time. unpack_body.h describes the layouts.
//
// A pair holds 16 bytes of row k in its lower half and 16 bytes of row k + 4 in its upper half. In
// all other vectors, lane k of eight belongs to row k.

INLINE __m256i FN(pair)(const uint8_t *p, size_t row, size_t k) {
  const __m128i *lower = (const __m128i *)(p + k * row);
  const __m128i *upper = (const __m128i *)(p + (k + 4) * row);
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(lower)),
                                 _mm_loadu_si128(upper), 1);
}

// Transposes 4 × 4 lanes in each half, which turns four pairs into four vectors. Each of these has
// four bytes of each of the eight rows.
INLINE void FN(turn)(const __m256i *v, __m256i *y) {
  __m256i a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
  __m256i c = _mm256_unpacklo_epi32(v[2], v[3]), d = _mm256_unpackhi_epi32(v[2], v[3]);
  y[0] = _mm256_unpacklo_epi64(a, c);
  y[1] = _mm256_unpackhi_epi64(a, c);
  y[2] = _mm256_unpacklo_epi64(b, d);
  y[3] = _mm256_unpackhi_epi64(b, d);
}

// Loads 16 bytes of each row into four vectors, each of which has four bytes of each row.
INLINE void FN(turned)(const uint8_t *p, size_t row, __m256i *y) {
  __m256i v[4];
  UNROLL for (size_t k = 0; k < 4; k++) v[k] = FN(pair)(p, row, k);
  FN(turn)(v, y);
}

// Loads four bytes of each row.
INLINE __m256i FN(four_bytes)(const uint8_t *p, size_t row) {
  __m128i half[2];
  UNROLL for (int h = 0; h < 2; h++) {
    const uint8_t *q = p + (size_t)(4 * h) * row;
    half[h] = _mm_unpacklo_epi64(
        _mm_unpacklo_epi32(_mm_loadu_si32(q), _mm_loadu_si32(q + row)),
        _mm_unpacklo_epi32(_mm_loadu_si32(q + 2 * row), _mm_loadu_si32(q + 3 * row)));
  }
  return _mm256_set_m128i(half[1], half[0]);
}

// Converts the two half-precision numbers in each lane.
INLINE void FN(two_halves)(__m256i v, __m256 *first, __m256 *second) {
  const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1,
                                         4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
  v = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, order), 0xd8);
  *first = _mm256_cvtph_ps(_mm256_castsi256_si128(v));
  *second = _mm256_cvtph_ps(_mm256_extracti128_si256(v, 1));
}

// Converts byte k of each lane to a float.
INLINE __m256 FN(unsigned_byte)(__m256i v, const int k) {
  return _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(v, 8 * k), _mm256_set1_epi32(255)));
}
INLINE __m256 FN(signed_byte)(__m256i v, const int k) {
  return _mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(v, 24 - 8 * k), 24));
}

INLINE __m256 FN(negated)(__m256 v) { return _mm256_xor_ps(v, _mm256_set1_ps(-0.0f)); }
INLINE __m256i FN(masked)(__m256i v, const int mask) {
  return _mm256_and_si256(v, _mm256_set1_epi8((char)mask));
}

// Computes the scales and minimums of a block in the file, in the order of its elements.
INLINE void FN(block_scales)(const ck_type type, const uint8_t *p, size_t row, __m256 *scales,
                             __m256 *minimums) {
  __m256 d, least;
  __m256i v[4];
  switch (type) {
    case CK_Q2_K:
      FN(two_halves)(FN(four_bytes)(p + 80, row), &d, &least);
      FN(turned)(p, row, v);
      UNROLL for (int j = 0; j < 16; j++) {
        __m256i bytes = v[j / 4];
        scales[j] = _mm256_mul_ps(d, FN(unsigned_byte)(FN(masked)(bytes, 15), j % 4));
        bytes = FN(masked)(_mm256_srli_epi32(bytes, 4), 15);
        minimums[j] = FN(negated)(_mm256_mul_ps(least, FN(unsigned_byte)(bytes, j % 4)));
      }
      return;
    case CK_Q3_K:
      // Load the last two bytes of the weights, the 12 bytes of the scales, and d.
      FN(turned)(p + 94, row, v);
      FN(two_halves)(v[3], &least, &d);
      {
        __m256i s[3];
        UNROLL for (int k = 0; k < 3; k++)
            s[k] = _mm256_or_si256(_mm256_srli_epi32(v[k], 16), _mm256_slli_epi32(v[k + 1], 16));
        UNROLL for (int j = 0; j < 16; j++) {
          __m256i low = j < 8 ? s[j / 4] : _mm256_srli_epi32(s[j / 4 - 2], 4);
          __m256i high = _mm256_slli_epi32(_mm256_srli_epi32(s[2], j / 4 * 2), 4);
          low = _mm256_or_si256(FN(masked)(low, 15), FN(masked)(high, 48));
          low = _mm256_sub_epi8(low, _mm256_set1_epi8(32));
          scales[j] = _mm256_mul_ps(d, FN(signed_byte)(low, j % 4));
        }
      }
      return;
    case CK_Q4_K:
    case CK_Q5_K:
      FN(turned)(p, row, v);
      FN(two_halves)(v[0], &d, &least);
      {
        __m256i high_scales = FN(masked)(_mm256_srli_epi32(v[1], 2), 48);
        __m256i high_minimums = FN(masked)(_mm256_srli_epi32(v[2], 2), 48);
        __m256i s[2] = {FN(masked)(v[1], 63),
                        _mm256_or_si256(FN(masked)(v[3], 15), high_scales)};
        __m256i m[2] = {
            FN(masked)(v[2], 63),
            _mm256_or_si256(FN(masked)(_mm256_srli_epi32(v[3], 4), 15), high_minimums)};
        UNROLL for (int j = 0; j < 8; j++) {
          scales[j] = _mm256_mul_ps(d, FN(unsigned_byte)(s[j / 4], j % 4));
          minimums[j] =
              FN(negated)(_mm256_mul_ps(least, FN(unsigned_byte)(m[j / 4], j % 4)));
        }
      }
      return;
    case CK_Q6_K:
      FN(turned)(p + 192, row, v);
      // Load the last two scales, and d.
      FN(two_halves)(FN(four_bytes)(p + 206, row), &least, &d);
      UNROLL for (int j = 0; j < 16; j++)
          scales[j] = _mm256_mul_ps(d, FN(signed_byte)(v[j / 4], j % 4));
      return;
    case CK_IQ4_XS:
      v[0] = FN(four_bytes)(p, row);
      v[1] = FN(four_bytes)(p + 4, row);
      FN(two_halves)(v[0], &d, &least);
      UNROLL for (int j = 0; j < 8; j++) {
        __m256i low = _mm256_and_si256(_mm256_srli_epi32(v[1], 4 * j), _mm256_set1_epi32(15));
        __m256i high =
            _mm256_and_si256(_mm256_srli_epi32(v[0], 16 + 2 * j), _mm256_set1_epi32(3));
        low = _mm256_or_si256(low, _mm256_slli_epi32(high, 4));
        low = _mm256_sub_epi32(low, _mm256_set1_epi32(32));
        scales[j] = _mm256_mul_ps(d, _mm256_cvtepi32_ps(low));
      }
      return;
    default: FN(two_halves)(FN(four_bytes)(p, row), scales, minimums);
  }
}

// Loads the j-th group of 32 weights of a block in the file. The pair low[k] receives the first 16
// weights of rows k and k + 4, and the pair high[k] receives the other 16.
INLINE void FN(block_weights)(const ck_type type, const uint8_t *p, size_t row, const int j,
                              __m256i *low, __m256i *high) {
  switch (type) {
    case CK_Q4_0:
    case CK_Q4_1:
    case CK_IQ4_NL:
    case CK_IQ4_XS: {
      const size_t start = type == CK_IQ4_XS ? 8 + 16 * (size_t)j : type == CK_Q4_1 ? 4 : 2;
      const __m256i levels = _mm256_broadcastsi128_si256(
          _mm_loadu_si128((const __m128i *)FN(nonlinear_levels)));
      UNROLL for (size_t k = 0; k < 4; k++) {
        __m256i v = FN(pair)(p + start, row, k);
        low[k] = FN(masked)(v, 15);
        high[k] = FN(masked)(_mm256_srli_epi16(v, 4), 15);
        if (type == CK_IQ4_NL || type == CK_IQ4_XS) {
          low[k] = _mm256_shuffle_epi8(levels, low[k]);
          high[k] = _mm256_shuffle_epi8(levels, high[k]);
        }
      }
      return;
    }
    case CK_Q5_0:
    case CK_Q5_1: {
      const size_t start = type == CK_Q5_1 ? 4 : 2;
      const __m256i fifth = FN(four_bytes)(p + start, row);
      const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
      const __m256i order = _mm256_setr_epi64x(0, 0x0101010101010101, 0, 0x0101010101010101);
      UNROLL for (size_t k = 0; k < 4; k++) {
        __m256i v = FN(pair)(p + start + 4, row, k);
        __m256i at = _mm256_add_epi8(order, _mm256_set1_epi8((char)(4 * k)));
        __m256i first = _mm256_and_si256(_mm256_shuffle_epi8(fifth, at), bit);
        at = _mm256_add_epi8(at, _mm256_set1_epi8(2));
        __m256i second = _mm256_and_si256(_mm256_shuffle_epi8(fifth, at), bit);
        low[k] = _mm256_or_si256(FN(masked)(v, 15),
                                 FN(masked)(_mm256_cmpeq_epi8(first, bit), 16));
        high[k] = _mm256_or_si256(FN(masked)(_mm256_srli_epi16(v, 4), 15),
                                  FN(masked)(_mm256_cmpeq_epi8(second, bit), 16));
      }
      return;
    }
    case CK_Q8_0:
      UNROLL for (size_t k = 0; k < 4; k++) {
        low[k] = FN(pair)(p + 2, row, k);
        high[k] = FN(pair)(p + 18, row, k);
      }
      return;
    default: break;
  }
  UNROLL for (size_t k = 0; k < 4; k++) {
    UNROLL for (size_t h = 0; h < 2; h++) {
      __m256i v = _mm256_setzero_si256();
      const uint8_t *q = p + 16 * h;
      switch (type) {
        case CK_Q2_K:
          v = FN(pair)(q + 16 + j / 4 * 32, row, k);
          v = FN(masked)(_mm256_srli_epi16(v, j % 4 * 2), 3);
          break;
        case CK_Q3_K: {
          __m256i third = FN(pair)(q, row, k);
          third = j < 2 ? _mm256_slli_epi16(third, 2 - j) : _mm256_srli_epi16(third, j - 2);
          v = FN(pair)(q + 32 + j / 4 * 32, row, k);
          v = _mm256_or_si256(FN(masked)(_mm256_srli_epi16(v, j % 4 * 2), 3),
                              FN(masked)(third, 4));
          break;
        }
        case CK_Q4_K:
          v = FN(pair)(q + 16 + j / 2 * 32, row, k);
          v = FN(masked)(_mm256_srli_epi16(v, j % 2 * 4), 15);
          break;
        case CK_Q5_K: {
          __m256i fifth = FN(pair)(q + 16, row, k);
          fifth = j < 4 ? _mm256_slli_epi16(fifth, 4 - j) : _mm256_srli_epi16(fifth, j - 4);
          v = FN(pair)(q + 48 + j / 2 * 32, row, k);
          v = _mm256_or_si256(FN(masked)(_mm256_srli_epi16(v, j % 2 * 4), 15),
                              FN(masked)(fifth, 16));
          break;
        }
        default: {
          __m256i top = FN(pair)(q + 128 + j / 4 * 32, row, k);
          const int shift = j % 4 * 2;
          top = shift < 4 ? _mm256_slli_epi16(top, 4 - shift) : _mm256_srli_epi16(top, shift - 4);
          v = FN(pair)(q + j / 4 * 64 + j % 2 * 32, row, k);
          v = _mm256_or_si256(FN(masked)(_mm256_srli_epi16(v, j % 4 / 2 * 4), 15),
                              FN(masked)(top, 48));
        }
      }
      if (h == 0) low[k] = v;
      else high[k] = v;
    }
  }
}
