// Unpacks the quantized types of GGUF. This file is compiled once per instruction set. Every
// element is
//   scales[i / 16] * quants[i] + minimums[i / 16]
// The layouts follow the GGUF specification and the block definitions of ggml. Only products of
// scales are rounded here, so all instruction sets give the same bits.

#if defined(HAS_AVX512) || defined(HAS_AVX2)
#define HALF(p) _cvtsh_ss(load_u16(p))
#else
#define HALF(p) half_to_float(load_u16(p))
#endif

static const int8_t FN(nonlinear_levels)[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                1,    13,   25,  38,  53,  69,  89,  113};

static inline void FN(even)(float scale, float minimum, float *scales, float *minimums) {
  scales[0] = scales[1] = scale;
  minimums[0] = minimums[1] = minimum;
}

// Layout: d | 16 bytes: low nibbles are elements 0 ..< 16, high nibbles 16 ..< 32.
static void FN(unpack_q4_0)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 32; b++, p += 18, q += 32) {
    FN(even)(HALF(p), 0, s + 2 * b, m + 2 * b);
    for (int i = 0; i < 16; i++) {
      q[i] = (int8_t)((p[2 + i] & 15) - 8);
      q[i + 16] = (int8_t)((p[2 + i] >> 4) - 8);
    }
  }
}

// Layout: d, m | 16 bytes of nibbles.
static void FN(unpack_q4_1)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 32; b++, p += 20, q += 32) {
    FN(even)(HALF(p), HALF(p + 2), s + 2 * b, m + 2 * b);
    for (int i = 0; i < 16; i++) {
      q[i] = (int8_t)(p[4 + i] & 15);
      q[i + 16] = (int8_t)(p[4 + i] >> 4);
    }
  }
}

// Unpacks 32 elements of 5 bits, and subtracts the bias. Bit i of `high` is bit 4 of element i.
static inline void FN(fifth_bits)(const uint8_t *restrict nibbles, const uint8_t *restrict high,
                                  int bias, int8_t *restrict q) {
  uint8_t bits[32];
  for (int i = 0; i < 32; i++) bits[i] = (uint8_t)((high[i / 8] >> (i % 8) & 1) << 4);
  for (int i = 0; i < 16; i++) {
    q[i] = (int8_t)(((nibbles[i] & 15) | bits[i]) - bias);
    q[i + 16] = (int8_t)(((nibbles[i] >> 4) | bits[i + 16]) - bias);
  }
}

// Layout: d | 32 high bits | 16 bytes of nibbles.
static void FN(unpack_q5_0)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 32; b++, p += 22, q += 32) {
    FN(even)(HALF(p), 0, s + 2 * b, m + 2 * b);
    FN(fifth_bits)(p + 6, p + 2, 16, q);
  }
}

// Layout: d, m | 32 high bits | 16 bytes of nibbles.
static void FN(unpack_q5_1)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 32; b++, p += 24, q += 32) {
    FN(even)(HALF(p), HALF(p + 2), s + 2 * b, m + 2 * b);
    FN(fifth_bits)(p + 8, p + 4, 0, q);
  }
}

// Layout: 16 scales of 4 bits with 16 minimums of 4 bits | 64 bytes of 2-bit elements | d, dmin.
static void FN(unpack_q2_k)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 256; b++, p += 84, s += 16, m += 16) {
    const float d = HALF(p + 80), least = HALF(p + 82);
    for (int j = 0; j < 16; j++) {
      s[j] = d * (float)(p[j] & 15);
      m[j] = -(least * (float)(p[j] >> 4));
    }
    for (int half = 0; half < 2; half++)
      for (int shift = 0; shift < 8; shift += 2, q += 32)
        for (int i = 0; i < 32; i++) q[i] = (int8_t)(p[16 + half * 32 + i] >> shift & 3);
  }
}

// Layout: 32 bytes of high bits | 64 bytes of low bit pairs | 16 6-bit scales in 12 bytes | d.
static void FN(unpack_q3_k)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 256; b++, p += 110, s += 16, m += 16) {
    const float d = HALF(p + 108);
    const uint8_t *packed = p + 96;
    for (int j = 0; j < 16; j++) {
      int low = j < 8 ? packed[j] & 15 : packed[j - 8] >> 4;
      int high = packed[8 + j % 4] >> (j / 4 * 2) & 3;
      s[j] = d * (float)((low | high << 4) - 32);
      m[j] = 0;
    }
    for (int part = 0; part < 8; part++, q += 32) {
      const uint8_t *low = p + 32 + part / 4 * 32;
      for (int i = 0; i < 32; i++)
        q[i] = (int8_t)((low[i] >> (part % 4 * 2) & 3) - ((p[i] >> part & 1) ? 0 : 4));
    }
  }
}

// Reads the 6-bit scale and the 6-bit minimum of group j in a block of Q4_K or Q5_K.
static inline void FN(six_bits)(const uint8_t *packed, int j, float d, float least, float *scales,
                                float *minimums) {
  int scale, minimum;
  if (j < 4) {
    scale = packed[j] & 63;
    minimum = packed[j + 4] & 63;
  } else {
    scale = (packed[j + 4] & 15) | (packed[j - 4] >> 6 << 4);
    minimum = (packed[j + 4] >> 4) | (packed[j] >> 6 << 4);
  }
  FN(even)(d * (float)scale, -(least * (float)minimum), scales + 2 * j, minimums + 2 * j);
}

// Layout: d, dmin | 12 bytes of scales | 4 × 32 bytes: the low nibbles are one group, the high
// nibbles the next.
static void FN(unpack_q4_k)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 256; b++, p += 144, s += 16, m += 16) {
    const float d = HALF(p), least = HALF(p + 2);
    for (int j = 0; j < 8; j++) FN(six_bits)(p + 4, j, d, least, s, m);
    for (int pair = 0; pair < 4; pair++, q += 64) {
      const uint8_t *nibbles = p + 16 + pair * 32;
      for (int i = 0; i < 32; i++) {
        q[i] = (int8_t)(nibbles[i] & 15);
        q[i + 32] = (int8_t)(nibbles[i] >> 4);
      }
    }
  }
}

// Layout: d, dmin | 12 bytes of scales | 32 bytes: bit j is group j's fifth bit |
// 4 × 32 bytes as in Q4_K.
static void FN(unpack_q5_k)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 256; b++, p += 176, s += 16, m += 16) {
    const float d = HALF(p), least = HALF(p + 2);
    for (int j = 0; j < 8; j++) FN(six_bits)(p + 4, j, d, least, s, m);
    for (int pair = 0; pair < 4; pair++, q += 64) {
      const uint8_t *nibbles = p + 48 + pair * 32, *high = p + 16;
      for (int i = 0; i < 32; i++) {
        q[i] = (int8_t)((nibbles[i] & 15) | (high[i] >> (2 * pair) & 1) << 4);
        q[i + 32] = (int8_t)((nibbles[i] >> 4) | (high[i] >> (2 * pair + 1) & 1) << 4);
      }
    }
  }
}

// Layout: 128 bytes of nibbles | 64 bytes of high bit pairs | 16 signed scales | d.
static void FN(unpack_q6_k)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 256; b++, p += 210, s += 16, m += 16) {
    const float d = HALF(p + 208);
    for (int j = 0; j < 16; j++) {
      s[j] = d * (float)(int8_t)p[192 + j];
      m[j] = 0;
    }
    for (int half = 0; half < 2; half++, q += 128) {
      const uint8_t *low = p + half * 64, *high = p + 128 + half * 32;
      for (int i = 0; i < 32; i++) {
        q[i] = (int8_t)(((low[i] & 15) | (high[i] & 3) << 4) - 32);
        q[i + 32] = (int8_t)(((low[i + 32] & 15) | (high[i] >> 2 & 3) << 4) - 32);
        q[i + 64] = (int8_t)(((low[i] >> 4) | (high[i] >> 4 & 3) << 4) - 32);
        q[i + 96] = (int8_t)(((low[i + 32] >> 4) | (high[i] >> 6 & 3) << 4) - 32);
      }
    }
  }
}

// Like Q4_0, but the levels are not evenly spaced.
static void FN(unpack_iq4_nl)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 32; b++, p += 18, q += 32) {
    FN(even)(HALF(p), 0, s + 2 * b, m + 2 * b);
    for (int i = 0; i < 16; i++) {
      q[i] = FN(nonlinear_levels)[p[2 + i] & 15];
      q[i + 16] = FN(nonlinear_levels)[p[2 + i] >> 4];
    }
  }
}

// Layout: d | 8 high bit pairs of the scales | 8 low nibbles of the scales | 8 × 16 bytes as
// in IQ4_NL.
static void FN(unpack_iq4_xs)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 256; b++, p += 136, s += 16, m += 16) {
    const float d = HALF(p);
    const int high = load_u16(p + 2);
    for (int j = 0; j < 8; j++, q += 32) {
      int scale = (p[4 + j / 2] >> (j % 2 * 4) & 15) | (high >> (2 * j) & 3) << 4;
      FN(even)(d * (float)(scale - 32), 0, s + 2 * j, m + 2 * j);
      const uint8_t *nibbles = p + 8 + j * 16;
      for (int i = 0; i < 16; i++) {
        q[i] = FN(nonlinear_levels)[nibbles[i] & 15];
        q[i + 16] = FN(nonlinear_levels)[nibbles[i] >> 4];
      }
    }
  }
}

// Layout: d | 32 signed bytes.
static void FN(unpack_q8_0)(const uint8_t *restrict p, size_t count, int8_t *restrict q,
                             float *restrict s, float *restrict m) {
  for (size_t b = 0; b < count / 32; b++, p += 34, q += 32) {
    FN(even)(HALF(p), 0, s + 2 * b, m + 2 * b);
    memcpy(q, p + 2, 32);
  }
}

static void FN(unpack)(ck_type type, const uint8_t *row, size_t count, int8_t *q, float *s,
                       float *m) {
  switch (type) {
    case CK_Q4_0: FN(unpack_q4_0)(row, count, q, s, m); break;
    case CK_Q4_1: FN(unpack_q4_1)(row, count, q, s, m); break;
    case CK_Q5_0: FN(unpack_q5_0)(row, count, q, s, m); break;
    case CK_Q5_1: FN(unpack_q5_1)(row, count, q, s, m); break;
    case CK_Q8_0: FN(unpack_q8_0)(row, count, q, s, m); break;
    case CK_Q2_K: FN(unpack_q2_k)(row, count, q, s, m); break;
    case CK_Q3_K: FN(unpack_q3_k)(row, count, q, s, m); break;
    case CK_Q4_K: FN(unpack_q4_k)(row, count, q, s, m); break;
    case CK_Q5_K: FN(unpack_q5_k)(row, count, q, s, m); break;
    case CK_Q6_K: FN(unpack_q6_k)(row, count, q, s, m); break;
    case CK_IQ4_NL: FN(unpack_iq4_nl)(row, count, q, s, m); break;
    case CK_IQ4_XS: FN(unpack_iq4_xs)(row, count, q, s, m); break;
    case CK_F32:
    case CK_F16:
    case CK_BF16: break;
  }
}
