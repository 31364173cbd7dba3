// The operations between matrix products: norms and gates. This file is compiled once per
// instruction set, after products_body.h and rounding_body.h, because it uses their helpers.

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
