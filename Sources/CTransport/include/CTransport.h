#pragma once
#include <stddef.h>

// HTTP exchanges over libcurl, which is loaded when it is first wanted: nothing is linked, and no
// header of libcurl is needed. All functions but `assay_transport_wake` belong to one thread.

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Several exchanges at a time on one set of kept connections.
typedef struct assay_transport assay_transport;

/// One request. Everything is copied when the request is added.
typedef struct {
  const char *method;
  const char *url;
  /// Whole header lines, `name: value`.
  const char *const _Nullable *_Nonnull headers;
  size_t header_count;
  const void *_Nullable body;
  size_t body_length;
  /// The longest that the exchange may take, in milliseconds.
  long timeout_ms;
  /// The longest that connecting may take, in milliseconds.
  long connect_timeout_ms;
  /// The most bytes of a response body.
  size_t body_limit;
  /// A file of trusted certificates; null for the system's.
  const char *_Nullable certificates;
  /// Whether proxies are passed by.
  int ignores_proxies;
  /// Whether the request waits for a connection that several requests can share (HTTP/2).
  int waits_for_connection;
} assay_request;

/// How an exchange ended. The buffers belong to the receiver: `assay_result_free` frees them.
typedef struct {
  /// Which request: the number that it was added with.
  unsigned long long number;
  /// libcurl's code; 0 where a whole response came.
  int code;
  /// The status of the response; 0 where none came.
  long status;
  /// The header lines of the last response, as they came.
  char *_Nullable headers;
  size_t headers_length;
  char *_Nullable body;
  size_t body_length;
  /// Whether the body was longer than allowed.
  int is_too_long;
  /// Seconds from the beginning to the end.
  double seconds;
  /// The number of connections that were opened for it.
  long connections;
  /// 0 unknown, 2 HTTP/1.1, 3 HTTP/2, 30 HTTP/3, as libcurl numbers them.
  long version;
  char error[256];
} assay_result;

/// Loads libcurl.
///
/// - Returns: 0 where it is there; else 1, with the reason in `message`.
int assay_transport_load(char *message, size_t length);

/// The version of libcurl; null before it is loaded.
const char *_Nullable assay_transport_version(void);

/// Makes a set of connections; null where memory is short.
assay_transport *_Nullable assay_transport_make(void);

/// Ends all exchanges and closes all connections.
void assay_transport_free(assay_transport *transport);

/// Begins an exchange.
///
/// - Returns: 0, or 1 where it can't be begun; nothing is given for it then.
int assay_transport_add(
    assay_transport *transport, const assay_request *request, unsigned long long number);

/// Ends an exchange at once; nothing is given for it.
void assay_transport_cancel(assay_transport *transport, unsigned long long number);

/// Moves all exchanges on, and waits for something to happen.
void assay_transport_step(assay_transport *transport, int timeout_ms);

/// Takes out an exchange that has ended.
///
/// - Returns: 1, or 0 where there is none.
int assay_transport_next(assay_transport *transport, assay_result *result);

/// Ends the waiting of `assay_transport_step`; may be called on any thread.
void assay_transport_wake(assay_transport *transport);

/// Keeps writing to a closed connection from ending the process, for the calling thread.
void assay_transport_block_signals(void);

void assay_result_free(assay_result *result);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
