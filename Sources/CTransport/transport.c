// For pipe2.
#define _GNU_SOURCE

#include "CTransport.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libcurl's option numbers are part of its stable binary interface. 10000 is added to the number if
// the argument is a pointer, 20000 if it is a function, and 30000 if it is a 64-bit value.
enum {
  option_write_data = 10001,
  option_url = 10002,
  option_error_buffer = 10010,
  option_http_header = 10023,
  option_header_data = 10029,
  option_custom_request = 10036,
  option_ca_file = 10065,
  option_accept_encoding = 10102,
  option_private = 10103,
  option_copy_body = 10165,
  option_proxy = 10004,
  option_write_function = 20011,
  option_header_function = 20079,
  option_body_size = 30120,
  option_post = 47,
  option_no_signal = 99,
  option_no_delay = 121,
  option_timeout_ms = 155,
  option_connect_timeout_ms = 156,
  option_protocols = 181,
  option_keep_alive = 213,
  option_pipe_wait = 237,
  info_status = 0x200002,
  info_private = 0x100015,
  info_connections = 0x20001A,
  info_version = 0x20002E,
  info_seconds = 0x300003,
  protocols_of_web = 3,
  message_done = 1,
};

typedef struct {
  int message;
  void *easy;
  union {
    void *whatever;
    int result;
  } data;
} curl_message;

// `curl_easy_setopt` and similar functions are variadic. On arm64, variadic arguments are passed in
// a different way than named arguments, so the function pointers must be variadic too.
static struct {
  int (*global_init)(long);
  const char *(*version)(void);
  const char *(*error_text)(int);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  void (*easy_cleanup)(void *);
  void *(*slist_append)(void *, const char *);
  void (*slist_free)(void *);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *);
  int (*multi_add)(void *, void *);
  int (*multi_remove)(void *, void *);
  int (*multi_perform)(void *, int *);
  int (*multi_poll)(void *, void *, unsigned, int, int *);
  int (*multi_wakeup)(void *);
  curl_message *(*multi_info_read)(void *, int *);
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char load_error[512];

static int find(void *library, const char *name, void *place) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    snprintf(load_error, sizeof load_error, "libcurl has no %s; version 7.68 or newer is needed",
             name);
    return 0;
  }
  memcpy(place, &symbol, sizeof symbol);
  return 1;
}

static void load(void) {
#ifdef __APPLE__
  static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && i == 0) {
      const char *reason = dlerror();
      snprintf(load_error, sizeof load_error, "%s", reason ? reason : names[i]);
    }
  }
  if (!library) return;
  load_error[0] = 0;
#define FIND(member, name) \
  if (!find(library, name, &curl.member)) return
  FIND(version, "curl_version");
  FIND(error_text, "curl_easy_strerror");
  FIND(easy_init, "curl_easy_init");
  FIND(easy_setopt, "curl_easy_setopt");
  FIND(easy_getinfo, "curl_easy_getinfo");
  FIND(easy_cleanup, "curl_easy_cleanup");
  FIND(slist_append, "curl_slist_append");
  FIND(slist_free, "curl_slist_free_all");
  FIND(multi_init, "curl_multi_init");
  FIND(multi_cleanup, "curl_multi_cleanup");
  FIND(multi_add, "curl_multi_add_handle");
  FIND(multi_remove, "curl_multi_remove_handle");
  FIND(multi_perform, "curl_multi_perform");
  FIND(multi_poll, "curl_multi_poll");
  FIND(multi_wakeup, "curl_multi_wakeup");
  FIND(multi_info_read, "curl_multi_info_read");
  FIND(global_init, "curl_global_init");
#undef FIND
  if (curl.global_init(3) != 0) {
    snprintf(load_error, sizeof load_error, "libcurl can't be initialized");
  }
}

int assay_transport_load(char *message, size_t length) {
  pthread_once(&once, load);
  snprintf(message, length, "%s", load_error);
  return load_error[0] ? 1 : 0;
}

const char *assay_transport_version(void) { return curl.version ? curl.version() : NULL; }

typedef struct {
  char *bytes;
  size_t length;
  size_t capacity;
} buffer;

static int append(buffer *buffer, const void *bytes, size_t count) {
  if (buffer->length + count > buffer->capacity) {
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 4096;
    while (capacity < buffer->length + count) capacity *= 2;
    char *grown = realloc(buffer->bytes, capacity);
    if (!grown) return 0;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->length, bytes, count);
  buffer->length += count;
  return 1;
}

typedef struct exchange {
  struct exchange *next;
  unsigned long long number;
  void *easy;
  void *headers;
  size_t body_limit;
  int is_too_long;
  buffer received_headers;
  buffer received_body;
  char error[256];
} exchange;

struct assay_transport {
  void *multi;
  exchange *exchanges;
};

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
  exchange *exchange = context;
  size_t length = size * count;
  if (length > exchange->body_limit - exchange->received_body.length) {
    exchange->is_too_long = 1;
    return 0;
  }
  return append(&exchange->received_body, bytes, length) ? length : 0;
}

static const size_t header_limit = 1 << 20;

static size_t receive_header(char *bytes, size_t size, size_t count, void *context) {
  exchange *exchange = context;
  size_t length = size * count;
  // A new response begins, so drop the headers of `100 Continue` or of a proxy's response.
  if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) exchange->received_headers.length = 0;
  if (exchange->received_headers.length + length > header_limit) return 0;
  return append(&exchange->received_headers, bytes, length) ? length : 0;
}

assay_transport *assay_transport_make(void) {
  assay_transport *transport = calloc(1, sizeof *transport);
  if (!transport) return NULL;
  transport->multi = curl.multi_init();
  if (!transport->multi) {
    free(transport);
    return NULL;
  }
  return transport;
}

static void free_exchange(exchange *exchange) {
  if (exchange->easy) curl.easy_cleanup(exchange->easy);
  if (exchange->headers) curl.slist_free(exchange->headers);
  free(exchange->received_headers.bytes);
  free(exchange->received_body.bytes);
  free(exchange);
}

static void take_out(assay_transport *transport, exchange *exchange) {
  struct exchange **place = &transport->exchanges;
  while (*place && *place != exchange) place = &(*place)->next;
  if (*place) *place = exchange->next;
  curl.multi_remove(transport->multi, exchange->easy);
}

void assay_transport_free(assay_transport *transport) {
  while (transport->exchanges) {
    exchange *first = transport->exchanges;
    take_out(transport, first);
    free_exchange(first);
  }
  curl.multi_cleanup(transport->multi);
  free(transport);
}

static int prepare(exchange *exchange, const assay_request *request) {
  void *easy = exchange->easy = curl.easy_init();
  if (!easy) return 0;
  for (size_t i = 0; i < request->header_count; i++) {
    void *list = curl.slist_append(exchange->headers, request->headers[i]);
    if (!list) return 0;
    exchange->headers = list;
  }
  int failed = curl.easy_setopt(easy, option_url, request->url);
  failed |= curl.easy_setopt(easy, option_private, exchange);
  failed |= curl.easy_setopt(easy, option_error_buffer, exchange->error);
  failed |= curl.easy_setopt(easy, option_write_function, receive_body);
  failed |= curl.easy_setopt(easy, option_write_data, exchange);
  failed |= curl.easy_setopt(easy, option_header_function, receive_header);
  failed |= curl.easy_setopt(easy, option_header_data, exchange);
  failed |= curl.easy_setopt(easy, option_http_header, exchange->headers);
  if (request->body) {
    failed |= curl.easy_setopt(easy, option_post, 1L);
    failed |= curl.easy_setopt(easy, option_body_size, (long long)request->body_length);
    failed |= curl.easy_setopt(easy, option_copy_body, request->body);
  }
  if (strcmp(request->method, request->body ? "POST" : "GET") != 0) {
    failed |= curl.easy_setopt(easy, option_custom_request, request->method);
  }
  failed |= curl.easy_setopt(easy, option_timeout_ms, request->timeout_ms);
  failed |= curl.easy_setopt(easy, option_connect_timeout_ms, request->connect_timeout_ms);
  failed |= curl.easy_setopt(easy, option_no_signal, 1L);
  failed |= curl.easy_setopt(easy, option_no_delay, 1L);
  failed |= curl.easy_setopt(easy, option_keep_alive, 1L);
  // Newer versions deprecate this option but still accept it.
  failed |= curl.easy_setopt(easy, option_protocols, (long)protocols_of_web);
  failed |= curl.easy_setopt(easy, option_pipe_wait, (long)request->waits_for_connection);
  // The empty string enables every encoding that this libcurl supports. It isn't an error if
  // libcurl supports none.
  curl.easy_setopt(easy, option_accept_encoding, "");
  if (request->ignores_proxies) failed |= curl.easy_setopt(easy, option_proxy, "");
  if (request->certificates) {
    failed |= curl.easy_setopt(easy, option_ca_file, request->certificates);
  }
  return !failed;
}

int assay_transport_add(
    assay_transport *transport, const assay_request *request, unsigned long long number) {
  exchange *added = calloc(1, sizeof *added);
  if (!added) return 1;
  added->number = number;
  added->body_limit = request->body_limit;
  if (!prepare(added, request) || curl.multi_add(transport->multi, added->easy) != 0) {
    free_exchange(added);
    return 1;
  }
  added->next = transport->exchanges;
  transport->exchanges = added;
  return 0;
}

void assay_transport_cancel(assay_transport *transport, unsigned long long number) {
  for (exchange *one = transport->exchanges; one; one = one->next) {
    if (one->number != number) continue;
    take_out(transport, one);
    free_exchange(one);
    return;
  }
}

void assay_transport_step(assay_transport *transport, int timeout_ms) {
  int running = 0, ready = 0, ended = 0;
  curl.multi_perform(transport->multi, &running);
  // Don't wait if an exchange has already ended, because waiting would delay its result.
  for (exchange *one = transport->exchanges; one; one = one->next) ended++;
  if (running < ended) return;
  curl.multi_poll(transport->multi, NULL, 0, timeout_ms, &ready);
  curl.multi_perform(transport->multi, &running);
}

int assay_transport_next(assay_transport *transport, assay_result *result) {
  int left = 0;
  curl_message *message;
  while ((message = curl.multi_info_read(transport->multi, &left))) {
    if (message->message != message_done) continue;
    exchange *ended = NULL;
    int code = message->data.result;
    curl.easy_getinfo(message->easy, info_private, &ended);
    if (!ended) continue;
    memset(result, 0, sizeof *result);
    result->number = ended->number;
    result->code = code;
    curl.easy_getinfo(ended->easy, info_status, &result->status);
    curl.easy_getinfo(ended->easy, info_seconds, &result->seconds);
    curl.easy_getinfo(ended->easy, info_connections, &result->connections);
    curl.easy_getinfo(ended->easy, info_version, &result->version);
    result->headers = ended->received_headers.bytes;
    result->headers_length = ended->received_headers.length;
    result->body = ended->received_body.bytes;
    result->body_length = ended->received_body.length;
    result->is_too_long = ended->is_too_long;
    snprintf(result->error, sizeof result->error, "%s",
             ended->error[0] ? ended->error : curl.error_text(code));
    ended->received_headers.bytes = NULL;
    ended->received_body.bytes = NULL;
    take_out(transport, ended);
    free_exchange(ended);
    return 1;
  }
  return 0;
}

void assay_transport_wake(assay_transport *transport) { curl.multi_wakeup(transport->multi); }

void assay_transport_block_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

int assay_transport_pipe(int *ends) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

void assay_result_free(assay_result *result) {
  free(result->headers);
  free(result->body);
  result->headers = NULL;
  result->body = NULL;
}
