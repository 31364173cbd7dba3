#pragma once
#include <stddef.h>

// HTTP exchanges over libcurl. The library is loaded when it is first needed, so building Assay
// needs neither libcurl nor its headers. Only one thread at a time may use a transport, but any
// thread may call `assay_transport_wake`.

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// A set of connections that several concurrent exchanges share.
typedef struct assay_transport assay_transport;

/// One request. `assay_transport_add` copies all of its data.
typedef struct {
  const char *method;
  const char *url;
  /// Complete header lines, `name: value`.
  const char *const _Nullable *_Nonnull headers;
  size_t header_count;
  const void *_Nullable body;
  size_t body_length;
  /// The time limit for the exchange, in milliseconds.
  long timeout_ms;
  /// The time limit for connecting, in milliseconds.
  long connect_timeout_ms;
  /// The maximum length of the response's body, in bytes.
  size_t body_limit;
  /// A file of trusted certificates, or null to use the system's certificates.
  const char *_Nullable certificates;
  /// Whether to ignore the proxies from the environment.
  int ignores_proxies;
  /// Whether to wait for a connection that several requests can share (HTTP/2).
  int waits_for_connection;
} assay_request;

/// The result of an exchange that has ended. The receiver owns the buffers and frees them with
/// `assay_result_free`.
typedef struct {
  /// The number that was passed to `assay_transport_add` with the request.
  unsigned long long number;
  /// libcurl's result code, which is 0 if a complete response was received.
  int code;
  /// The status of the response, or 0 if none was received.
  long status;
  /// The header lines of the last response, as they were received.
  char *_Nullable headers;
  size_t headers_length;
  char *_Nullable body;
  size_t body_length;
  /// Whether the body exceeded the limit.
  int is_too_long;
  /// The duration in seconds.
  double seconds;
  /// The number of connections that libcurl opened for the exchange.
  long connections;
  /// libcurl's number for the protocol: 0 unknown, 2 HTTP/1.1, 3 HTTP/2, 30 HTTP/3.
  long version;
  /// libcurl's message for the result code.
  char error[256];
} assay_result;

/// Loads libcurl.
///
/// - Returns: 0 on success, or 1 on failure. `message` then contains the reason.
int assay_transport_load(char *message, size_t length);

/// The version of libcurl, or null before it is loaded.
const char *_Nullable assay_transport_version(void);

/// Creates a set of connections. Returns null if there is not enough memory.
assay_transport *_Nullable assay_transport_make(void);

/// Ends all exchanges and closes all connections.
void assay_transport_free(assay_transport *transport);

/// Starts an exchange.
///
/// - Returns: 0 on success, or 1 if the exchange can't be started. There is then no result.
int assay_transport_add(
    assay_transport *transport, const assay_request *request, unsigned long long number);

/// Cancels an exchange immediately, without a result.
void assay_transport_cancel(assay_transport *transport, unsigned long long number);

/// Advances all exchanges. If none of them ends, waits at most `timeout_ms` milliseconds for
/// events.
void assay_transport_step(assay_transport *transport, int timeout_ms);

/// Removes an exchange that has ended, and returns its result.
///
/// - Returns: 1, or 0 if no exchange has ended.
int assay_transport_next(assay_transport *transport, assay_result *result);

/// Ends the wait of `assay_transport_step`. Any thread may call this function.
void assay_transport_wake(assay_transport *transport);

/// Creates a pipe whose ends the programs that this process starts don't inherit.
///
/// The result is 0, or -1 if the process has too many open files.
int assay_transport_pipe(int *_Nonnull ends);

/// Blocks SIGPIPE for the calling thread, so that writing to a closed connection doesn't end the
/// process.
void assay_transport_block_signals(void);

/// Frees the buffers of a result.
void assay_result_free(assay_result *result);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
