internal import Glibc

/// Knows whether the current thread is a reactor's, so that what may block or compute can refuse to run there.
package enum ReactorThread {
  /// True on the thread of any reactor of this process.
  package static var isCurrent: Bool { unsafe pthread_getspecific(mark) != nil }

  static func markCurrent() {
    unsafe pthread_setspecific(mark, UnsafeRawPointer(bitPattern: 1))
  }

  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key, nil)
    precondition(failure == 0, "the system refused a thread-local key: error \(failure)")
    return key
  }()
}
