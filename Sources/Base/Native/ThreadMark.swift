internal import Glibc

/// Something that the threads of a kind carry, so that code can ask whether it runs on one of them.
public struct ThreadMark: Sendable {
  private let key: pthread_key_t

  public init() {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key, nil)
    precondition(failure == 0, "the system refused a thread-local key: error \(failure)")
    self.key = key
  }

  /// Marks the current thread, for whom.
  ///
  /// - Parameter owner: must live for as long as the thread.
  public func set(for owner: AnyObject) {
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(owner).toOpaque())
  }

  /// Whether the current thread is marked at all.
  public var isSet: Bool { unsafe pthread_getspecific(key) != nil }

  public func isSet(for owner: AnyObject) -> Bool {
    unsafe pthread_getspecific(key) == Unmanaged.passUnretained(owner).toOpaque()
  }
}
