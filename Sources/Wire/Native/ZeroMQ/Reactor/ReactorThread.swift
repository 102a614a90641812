internal import Base

/// Knows whether the current thread is a reactor's, so that what may block or compute can refuse to run there.
package enum ReactorThread {
  /// True on the thread of any reactor of this process.
  package static var isCurrent: Bool { mark.isSet }

  /// - Parameter reactor: runs on this thread until it ends.
  static func markCurrent(for reactor: AnyObject) { mark.set(for: reactor) }

  private static let mark = ThreadMark()
}
