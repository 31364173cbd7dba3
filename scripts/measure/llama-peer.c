// Measures llama.cpp in the same way as `assay-benchmark model` measures Assay: on one thread, with
// the same tokens. Writes JSON with the same keys. `scripts/benchmark model` compiles this file
// against a build of llama.cpp.
//
//   llama-peer FILE PROMPT DECODE BATCH ROUNDS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "llama.h"

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void silence(enum ggml_log_level level, const char *text, void *data) {
  (void)data;
  if (level == GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
}

static long peak_memory(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long peak = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
  if (file) fclose(file);
  return peak;
}

typedef struct rate {
  double wall, processor, start, start_processor;
} rate;

static void begin(rate *rate) {
  rate->start = seconds(CLOCK_MONOTONIC);
  rate->start_processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void end(rate *rate, int tokens) {
  double wall = tokens / (seconds(CLOCK_MONOTONIC) - rate->start);
  double processor = tokens / (seconds(CLOCK_PROCESS_CPUTIME_ID) - rate->start_processor);
  if (wall > rate->wall) rate->wall = wall;
  if (processor > rate->processor) rate->processor = processor;
}

// Appends one token to each of `count` sequences, beginning with sequence `first`, and computes the
// logits after each token.
static void step(struct llama_context *context, struct llama_batch *batch, int first, int count,
                 llama_token token, int position, int limit) {
  batch->n_tokens = count;
  for (int i = 0; i < count; i++) {
    batch->token[i] = (token + i) % limit;
    batch->pos[i] = position;
    batch->n_seq_id[i] = 1;
    batch->seq_id[i][0] = first + i;
    batch->logits[i] = 1;
  }
  if (llama_decode(context, *batch) != 0) {
    fputs("llama_decode failed\n", stderr);
    exit(3);
  }
  llama_synchronize(context);
}

int main(int count, char **arguments) {
  if (count != 6) {
    fputs("usage: llama-peer FILE PROMPT DECODE BATCH ROUNDS\n", stderr);
    return 4;
  }
  const int prompt_length = atoi(arguments[2]), decode_length = atoi(arguments[3]);
  const int width = atoi(arguments[4]), rounds = atoi(arguments[5]);
  llama_log_set(silence, NULL);
  llama_backend_init();
  const double start = seconds(CLOCK_MONOTONIC);
  const double start_processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  struct llama_model *model =
      llama_model_load_from_file(arguments[1], llama_model_default_params());
  if (!model) return 3;
  struct llama_context_params parameters = llama_context_default_params();
  parameters.n_ctx = (uint32_t)(prompt_length + decode_length * (width + 1) + 64);
  parameters.n_batch = parameters.n_ubatch = 512;
  parameters.n_seq_max = (uint32_t)width + 1;
  parameters.kv_unified = true;
  parameters.n_threads = parameters.n_threads_batch = 1;
  struct llama_context *context = llama_init_from_model(model, parameters);
  if (!context) return 3;
  const double load = seconds(CLOCK_MONOTONIC) - start;
  const double load_processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - start_processor;

  // Tokenize a text before `ready`, because the tokenizer may do some work only at its first text.
  // The text is the same as in ModelBenchmark.swift.
  const struct llama_vocab *vocabulary = llama_model_get_vocab(model);
  static const char text[] =
      "You turn a passage into study cards. A lighthouse is a tower with a lamp, built in 1611.";
  llama_token tokens[sizeof text];
  if (llama_tokenize(vocabulary, text, sizeof text - 1, tokens, sizeof text, false, false) <= 0)
    return 3;
  const double ready = seconds(CLOCK_MONOTONIC) - start;
  const double ready_processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - start_processor;

  const int limit = llama_vocab_n_tokens(vocabulary);
  struct llama_batch batch = llama_batch_init(512, 0, 1);
  llama_memory_t memory = llama_get_memory(context);
  rate prompt = {0}, decode = {0}, together = {0};
  for (int round = 0; round < rounds; round++) {
    llama_memory_clear(memory, true);
    begin(&prompt);
    for (int from = 0; from < prompt_length; from += 512) {
      const int to = from + 512 < prompt_length ? from + 512 : prompt_length;
      batch.n_tokens = to - from;
      for (int i = from; i < to; i++) {
        batch.token[i - from] = (llama_token)((long)i * 7919 % limit);
        batch.pos[i - from] = i;
        batch.n_seq_id[i - from] = 1;
        batch.seq_id[i - from][0] = 0;
        batch.logits[i - from] = i + 1 == prompt_length;
      }
      if (llama_decode(context, batch) != 0) return 3;
    }
    llama_synchronize(context);
    end(&prompt, prompt_length);
    for (int s = 1; s <= width; s++) llama_memory_seq_cp(memory, 0, s, -1, -1);
    begin(&decode);
    for (int i = 0; i < decode_length; i++)
      step(context, &batch, 0, 1, (llama_token)((long)(prompt_length + i) * 7919 % limit),
           prompt_length + i, limit);
    end(&decode, decode_length);
    begin(&together);
    for (int i = 0; i < decode_length; i++)
      step(context, &batch, 1, width, (llama_token)((long)(prompt_length + i) * 7919 % limit),
           prompt_length + i, limit);
    end(&together, decode_length * width);
  }
  printf("{\"program\": \"llama.cpp\", \"load\": {\"wall\": %.4f, \"processor\": %.4f}, "
         "\"ready\": {\"wall\": %.4f, \"processor\": %.4f}, \"peakKiB\": %ld, "
         "\"prompt\": {\"wall\": %.2f, \"processor\": %.2f}, "
         "\"decode\": {\"wall\": %.2f, \"processor\": %.2f}, "
         "\"batch\": {\"width\": %d, \"rate\": {\"wall\": %.2f, \"processor\": %.2f}}}\n",
         load, load_processor, ready, ready_processor, peak_memory(), prompt.wall,
         prompt.processor, decode.wall, decode.processor, width,
         together.wall, together.processor);
  return 0;
}
