// Rounds activations to 8 bits. This file is compiled once per instruction set, after
// products_body.h.

// Returns the largest lane of `v`. A maximum doesn't depend on the order of comparisons.
static inline float FN(largest)(const f32x16 *v) {
  f32x16 a = *v;
  f32x8 b = __builtin_elementwise_max(__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7),
                                      __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15));
  f32x4 c = __builtin_elementwise_max(__builtin_shufflevector(b, b, 0, 1, 2, 3),
                                      __builtin_shufflevector(b, b, 4, 5, 6, 7));
  float p = c[0] > c[1] ? c[0] : c[1], q = c[2] > c[3] ? c[2] : c[3];
  return p > q ? p : q;
}

static void FN(quantize)(const float *x, size_t count, int8_t *quants, float *scales,
                         float *sums, float *half_sums, int32_t *offsets,
                         int32_t *half_offsets) {
  for (size_t b = 0; b < count / 32; b++) {
    f32x16 low = LOAD_F32(x + b * 32), high = LOAD_F32(x + b * 32 + 16);
    f32x16 peak = __builtin_elementwise_max(__builtin_elementwise_abs(low),
                                            __builtin_elementwise_abs(high));
    float largest = FN(largest)(&peak);
    f32x16 inverse = ZERO16 + (largest > 1e-30f ? 127.0f / largest : 0.0f);
    scales[b] = largest / 127.0f;
    i32x16 a = __builtin_convertvector(__builtin_elementwise_rint(low * inverse), i32x16);
    i32x16 c = __builtin_convertvector(__builtin_elementwise_rint(high * inverse), i32x16);
    *(i8x16u *)(quants + b * 32) = __builtin_convertvector(a, i8x16);
    *(i8x16u *)(quants + b * 32 + 16) = __builtin_convertvector(c, i8x16);
    const int32_t first = __builtin_reduce_add(a), second = __builtin_reduce_add(c);
    sums[b] = scales[b] * (float)(first + second);
    half_sums[b * 2] = scales[b] * (float)first;
    half_sums[b * 2 + 1] = scales[b] * (float)second;
    half_offsets[b * 2] = -128 * first;
    half_offsets[b * 2 + 1] = -128 * second;
    offsets[b] = -128 * (first + second);
  }
}
