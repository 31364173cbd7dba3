/// Starts threads that nobody waits for.
package enum DetachedThread {
  /// Starts a thread.
  ///
  /// If the system has no thread left, the function runs on one of Swift's own threads.
  ///
  /// - Parameters:
  ///   - stackSize: The size of the stack in bytes.
  ///   - body: The function that the thread runs.
  package static func start(
    stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
  ) {
    #if canImport(Darwin)
      let thread = Thread(block: body)
      thread.stackSize = stackSize
      thread.start()
    #else
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
      pthread_attr_setstacksize(&attributes, stackSize)
      let start = Unmanaged.passRetained(ThreadBody(body))
      var thread = pthread_t()
      let status = pthread_create(
        &thread, &attributes, { ThreadBody.run($0) }, start.toOpaque())
      if status != 0 {
        start.release()
        Task.detached { body() }
      }
    #endif
  }
}

#if !canImport(Darwin)
  /// The function that a new thread runs.
  private final class ThreadBody: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let pointer else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
      return nil
    }
  }
#endif
