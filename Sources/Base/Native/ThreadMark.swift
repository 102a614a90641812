internal import Glibc

/// Marks the threads of a pool, so that code can ask whether it runs on one of them, and for which owner.
public struct ThreadMark<Owner: AnyObject>: Sendable {
  private let key: pthread_key_t

  public init() {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key, nil)
    precondition(failure == 0, "the system refused a thread-local key: error \(failure)")
    self.key = key
  }

  /// Marks the current thread as belonging to an owner.
  ///
  /// - Parameter owner: must live for as long as the thread.
  public func set(for owner: Owner) {
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(owner).toOpaque())
  }

  /// The owner that the current thread is marked with, if any.
  public var owner: Owner? {
    guard let pointer = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<Owner>.fromOpaque(pointer).takeUnretainedValue()
  }
}
