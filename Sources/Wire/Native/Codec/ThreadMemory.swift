internal import Glibc

/// One block of memory that a thread keeps for its next use, freed when the thread ends.
enum ThreadMemory {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { unsafe free($0) }
    guard code == 0 else { fatalError("pthread_key_create failed with \(code)") }
    return key
  }()

  /// Takes the block that this thread keeps, if any. The caller owns it from then on.
  @inline(__always)
  static func take<T>() -> UnsafeMutablePointer<T>? {
    guard let memory = unsafe pthread_getspecific(key) else { return nil }
    pthread_setspecific(key, nil)
    return unsafe memory.assumingMemoryBound(to: T.self)
  }

  /// Keeps a block that malloc has made. Only one is kept: a block that is already there is freed.
  @inline(__always)
  static func give(_ memory: UnsafeMutableRawPointer) {
    if let other = unsafe pthread_getspecific(key) { unsafe free(other) }
    unsafe pthread_setspecific(key, memory)
  }
}
