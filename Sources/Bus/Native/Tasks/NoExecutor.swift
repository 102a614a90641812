extension UnownedSerialExecutor {
  /// No executor. A job that wakes a sleeping task belongs to none, and if it were run as an executor's, it would move
  /// itself to Swift's own pool.
  ///
  /// It is two words of zero, which is private to Swift's runtime: `SwiftRuntimeTests` fails where that is otherwise.
  @unsafe package static var nobody: UnownedSerialExecutor {
    unsafe unsafeBitCast((0, 0) as (Int, Int), to: UnownedSerialExecutor.self)
  }
}
