// Runs every kernel on fixed inputs, with every instruction set of this machine, and prints a digest
// of each result: `INSTRUCTIONS OPERATION DIGEST`. Equal bits give equal digests on all machines.
// With an argument, it multiplies by few numbers of columns, which takes a twentieth of the time.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CKernels.h"

enum { LENGTH = 512, ROWS = 37, BATCH = 19, COLUMNS = 304, VOCABULARY = 1003 };

// MARK: Inputs

static uint64_t state;

/// Returns the next 64 bits of SplitMix64.
static uint64_t next(void) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/// Returns a float from -1 to 1 with a random exponent. The function assembles it from bits,
/// without arithmetic on floats.
static float next_float(void) {
  const uint64_t bits = next();
  const uint32_t exponent = 115 + (uint32_t)(bits >> 60) % 12;
  const uint32_t word = (uint32_t)(bits & 0x807fffff) | exponent << 23;
  float value;
  memcpy(&value, &word, 4);
  return value;
}

static void fill(float *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = next_float();
}

/// Writes a 16-bit float of moderate size.
static void put_half(uint8_t *place) {
  const uint16_t half = (uint16_t)((next() & 0x83ff) | (6 + next() % 8) << 10);
  memcpy(place, &half, 2);
}

typedef struct format {
  ck_type type;
  const char *name;
  size_t block;    // bytes per block
  int scales[2];   // the offsets of 16-bit floats; -1 for none
} format;

static const format formats[] = {
    {CK_F32, "F32", 0, {-1, -1}},        {CK_F16, "F16", 0, {-1, -1}},
    {CK_BF16, "BF16", 0, {-1, -1}},      {CK_Q4_0, "Q4_0", 18, {0, -1}},
    {CK_Q4_1, "Q4_1", 20, {0, 2}},       {CK_Q5_0, "Q5_0", 22, {0, -1}},
    {CK_Q5_1, "Q5_1", 24, {0, 2}},       {CK_Q8_0, "Q8_0", 34, {0, -1}},
    {CK_Q2_K, "Q2_K", 84, {80, 82}},     {CK_Q3_K, "Q3_K", 110, {108, -1}},
    {CK_Q4_K, "Q4_K", 144, {0, 2}},      {CK_Q5_K, "Q5_K", 176, {0, 2}},
    {CK_Q6_K, "Q6_K", 210, {208, -1}},   {CK_IQ4_NL, "IQ4_NL", 18, {0, -1}},
    {CK_IQ4_XS, "IQ4_XS", 136, {0, -1}},
};

static void fill_weights(const format *format, uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)next();
  if (format->type == CK_F32) {
    fill((float *)bytes, size / 4);
  } else if (format->type == CK_F16) {
    for (size_t i = 0; i < size; i += 2) put_half(bytes + i);
  } else if (format->type == CK_BF16) {
    for (size_t i = 0; i < size; i += 2) {
      const float value = next_float();
      memcpy(bytes + i, (const uint8_t *)&value + 2, 2);
    }
  } else {
    for (size_t i = 0; i < size; i += format->block)
      for (int k = 0; k < 2; k++)
        if (format->scales[k] >= 0) put_half(bytes + i + format->scales[k]);
  }
}

// MARK: Results

static uint64_t digest;

static void add(const void *data, size_t size) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static const char *const names[] = {"scalar", "avx2", "avx512", "neon"};

static void print(ck_instruction_set set, const char *operation, const char *detail) {
  printf("%s %s%s %016" PRIx64 "\n", names[set], operation, detail, digest);
  digest = UINT64_C(0xcbf29ce484222325);
}

// MARK: Operations

/// Returns the next larger number of columns. Different numbers take different code paths in the
/// kernels; those with few columns also end a block of 8 and of 16.
static int after(int batch, int is_short) {
  if (is_short) return batch < 9 ? batch + 1 : batch == 9 ? 17 : COLUMNS;
  return batch < 40 ? batch + 1 : batch + 260;
}

static void products(ck_instruction_set set, int is_short) {
  static float x[COLUMNS * LENGTH], scales[COLUMNS * LENGTH / 32];
  static float sums[COLUMNS * LENGTH / 32], half_sums[COLUMNS * LENGTH / 16];
  static int8_t quants[COLUMNS * LENGTH];
  static int32_t offsets[COLUMNS * LENGTH / 32], half_offsets[COLUMNS * LENGTH / 16];
  static uint8_t weights[ROWS * LENGTH * 4], row_quants[CK_ROWS * (LENGTH / 32 * 34)];
  static float row_scales[4 * CK_ROWS * (LENGTH / 16 + 3)], y[COLUMNS * ROWS];
  static _Alignas(64) uint8_t pack[LENGTH / 32 * CK_PACK];
  state = 1;
  fill(x, COLUMNS * LENGTH);
  for (int b = 0; b < COLUMNS; b++)
    ck_quantize(set, x + b * LENGTH, LENGTH, quants + b * LENGTH, scales + b * LENGTH / 32,
                sums + b * LENGTH / 32, half_sums + b * LENGTH / 16, offsets + b * LENGTH / 32,
                half_offsets + b * LENGTH / 16);
  add(quants, sizeof quants);
  add(scales, sizeof scales);
  add(sums, sizeof sums);
  add(half_sums, sizeof half_sums);
  add(offsets, sizeof offsets);
  add(half_offsets, sizeof half_offsets);
  print(set, "quantize", "");
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const format *format = &formats[i];
    const size_t size = ck_row_size(format->type, LENGTH);
    state = 2 + i;
    fill_weights(format, weights, size * ROWS);
    for (int batch = 1; batch < COLUMNS; batch = after(batch, is_short)) {
      const ck_columns columns = {
          .values = x, .quants = quants, .scales = scales, .sums = sums,
          .half_sums = half_sums, .offsets = offsets, .half_offsets = half_offsets,
          .row_quants = row_quants, .row_scales = row_scales, .pack = pack, .length = LENGTH,
          .batch = batch};
      memset(y, 0, sizeof y);
      ck_matmul(set, format->type, weights, ROWS, &columns, y, ROWS);
      add(y, sizeof y);
    }
    print(set, "product-", format->name);
    for (int row = 0; row < ROWS; row++) {
      static int8_t unpacked[LENGTH * 2];
      static float factors[LENGTH], values[LENGTH];
      ck_dequantize(format->type, weights + row * size, LENGTH, unpacked, factors, values);
      add(values, sizeof values);
    }
    print(set, "unpack-", format->name);
  }
}

static void layers(ck_instruction_set set) {
  static float x[BATCH * LENGTH], weight[LENGTH], y[BATCH * LENGTH];
  state = 100;
  fill(x, BATCH * LENGTH);
  fill(weight, LENGTH);
  ck_rms_norm(set, x, weight, LENGTH, BATCH, 1e-5f, y);
  add(y, sizeof y);
  print(set, "rms-norm", "");
  for (int i = 0; i < BATCH * LENGTH; i++) y[i] = x[i] * 12;
  ck_gated_silu(set, y, x, BATCH * LENGTH - 3);
  add(y, sizeof y);
  print(set, "gated-silu", "");
  for (int i = 0; i < BATCH * LENGTH; i++) y[i] = x[i] * 5;
  ck_gated_gelu(set, y, x, BATCH * LENGTH - 3);
  add(y, sizeof y);
  print(set, "gated-gelu", "");
  for (int i = 0; i < BATCH * LENGTH; i++) y[i] = x[i] * 60;
  ck_soft_cap(set, y, BATCH * LENGTH - 3, 30);
  add(y, sizeof y);
  print(set, "soft-cap", "");
  for (int i = 0; i + 16 <= BATCH * LENGTH; i += 16) {
    float wide[16], results[16];
    for (int k = 0; k < 16; k++) wide[k] = x[i + k] * 90;
    ck_exponential(set, wide, results);
    add(results, sizeof results);
  }
  print(set, "exponential", "");
  memcpy(y, x, sizeof y);
  ck_add(y, weight, LENGTH);
  for (int split = 0; split < 2; split++) ck_rotate(y, weight, weight + LENGTH / 2, 128, split);
  add(y, sizeof y);
  print(set, "rotate", "");
}

static void attention(ck_instruction_set set) {
  enum {
    LENGTHS = 2, HEAD = 80, HEADS = 3, POSITIONS = 75, PAGES = 3, READERS = 5,
    STRIDE = POSITIONS + CK_PAGE
  };
  static float key[HEAD], value[HEAD], query[READERS][HEADS * HEAD], y[READERS][HEADS * HEAD];
  static float pages[PAGES][2 * CK_PAGE * HEAD], scores[READERS * HEADS * STRIDE];
  static float sums[READERS * HEADS * (2 * HEAD + 1)];
  const void *const places[PAGES] = {pages[0], pages[1], pages[2]};
  // The second sequence shares a page with the first.
  const void *const others[PAGES] = {pages[0], pages[2]};
  const int lengths[LENGTHS] = {64, HEAD - 3};
  for (int l = 0; l < LENGTHS; l++) {
    const int length = lengths[l], values = CK_PAGE * length;
    for (int halves = 0; halves < 2; halves++) {
      state = 200;
      memset(pages, 0, sizeof pages);
      memset(y, 0, sizeof y);
      fill(query[0], sizeof query / 4);
      for (int t = 0; t < POSITIONS; t++) {
        fill(key, length);
        fill(value, length);
        // 16-bit floats have less precision below 2^-14, and end at 65504.
        value[t % length] *= t % 3 == 0 ? 1e-6f : t % 3 == 1 ? 1e9f : 1;
        char *page = (char *)pages[t / CK_PAGE];
        ck_store_position(set, key, value, page, page + values * (halves ? 2 : 4), t % CK_PAGE,
                          length, halves);
      }
      const ck_reader readers[READERS] = {{query[0], y[0], places, POSITIONS, 0},
                                          {query[1], y[1], places, POSITIONS - 1, 5},
                                          {query[2], y[2], places, POSITIONS - 40, 0},
                                          {query[3], y[3], others, POSITIONS - 35, 0},
                                          {query[4], y[4], others, POSITIONS - 34, 33}};
      ck_attention(set, readers, READERS, HEADS, 0, (size_t)values, length, 0.125f, STRIDE, scores,
                   sums, halves);
      add(pages, sizeof pages);
      add(y, sizeof y);
    }
  }
  print(set, "attention", "");
}

static void probabilities(ck_instruction_set set) {
  static float logits[VOCABULARY];
  static double weights[VOCABULARY];
  static uint64_t legal[(VOCABULARY + 63) / 64];
  state = 300;
  fill(logits, VOCABULARY);
  // Some weights are far too small for a double, and some are subnormal.
  for (int i = 0; i < VOCABULARY; i++) logits[i] *= i % 3 == 0 ? 800 : 20;
  for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) legal[i] = next() & next();
  float of_legal = 0;
  float peaks[VOCABULARY / CK_STRETCH + 1] = {0}, legal_peaks[VOCABULARY / CK_STRETCH + 1] = {0};
  const float largest =
      ck_largest_logits(set, logits, VOCABULARY, legal, &of_legal, peaks, legal_peaks);
  add(peaks, sizeof peaks);
  add(legal_peaks, sizeof legal_peaks);
  add(&largest, sizeof largest);
  add(&of_legal, sizeof of_legal);
  for (size_t i = 0; i < VOCABULARY; i++) {
    i = ck_next_above(set, logits, i, VOCABULARY, i % 2 ? legal : NULL, of_legal - 6);
    add(&i, sizeof i);
  }
  print(set, "largest", "");
  ck_sums sums;
  ck_weights(set, logits, VOCABULARY, legal, (double)largest, 0.7, weights, &sums);
  add(weights, sizeof weights);
  add(&sums, sizeof sums);
  print(set, "weights", "");
  for (size_t i = 0; i < VOCABULARY; i++) {
    i = ck_next_early(set, weights, i, VOCABULARY, legal, 42, 0.3);
    add(&i, sizeof i);
  }
  print(set, "race", "");
}

int main(int count, char **arguments) {
  (void)arguments;
  digest = UINT64_C(0xcbf29ce484222325);
  for (int set = CK_SCALAR; set <= CK_NEON; set++) {
    if (!ck_is_supported((ck_instruction_set)set)) continue;
    products((ck_instruction_set)set, count > 1);
    layers((ck_instruction_set)set);
    attention((ck_instruction_set)set);
    probabilities((ck_instruction_set)set);
  }
  return 0;
}
