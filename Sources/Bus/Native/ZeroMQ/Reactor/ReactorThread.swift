/// Whether the current thread belongs to a reactor: for tests.
package enum ReactorThread {
  package static var isCurrent: Bool { PoolThread.current != nil }
}
