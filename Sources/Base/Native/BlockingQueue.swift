internal import Glibc

/// A first-in, first-out queue on which threads wait: pthread's mutex and condition, wrapped once.
@safe package final class BlockingQueue<Element>: @unchecked Sendable {
  // Unchecked because the compiler cannot see that `mutex` guards everything below it.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var line = WaitingLine<Element>()
  private var isClosed = false
  private var sleeping = 0
  /// A thread was woken and has not arrived yet. When it arrives, takes an element and more are left, it wakes the next
  /// thread. So adding a hundred elements wakes one thread and not all of them, and each other thread only if it is
  /// still needed.
  private var isWaking = false

  package init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(filled, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(filled)
    unsafe pthread_mutex_destroy(mutex)
    unsafe filled.deallocate()
    unsafe mutex.deallocate()
  }

  /// Adds an element, unless the queue is closed.
  package func push(_ element: consuming Element) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard !isClosed else { return false }
    line.append(element)
    wakeIfNeeded()
    return true
  }

  /// The next element, as soon as there is one; nil once the queue is closed and empty.
  package func pop() -> Element? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while line.isEmpty {
      if isClosed { return nil }
      sleep()
    }
    defer { wakeIfNeeded() }
    return line.popFirst()
  }

  /// All waiting elements, at most `limit`, as soon as there is one; empty once the queue is closed and empty.
  package func popBatch(limit: Int) -> [Element] {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while line.isEmpty {
      if isClosed { return [] }
      sleep()
    }
    defer { wakeIfNeeded() }
    return line.pop(limit)
  }

  /// Refuses elements from now on; those in the queue can still be taken.
  package func close() {
    unsafe pthread_mutex_lock(mutex)
    isClosed = true
    unsafe pthread_cond_broadcast(filled)
    unsafe pthread_mutex_unlock(mutex)
  }

  private func sleep() {
    sleeping += 1
    unsafe pthread_cond_wait(filled, mutex)
    sleeping -= 1
    isWaking = false
  }

  private func wakeIfNeeded() {
    guard !line.isEmpty, sleeping > 0, !isWaking else { return }
    isWaking = true
    unsafe pthread_cond_signal(filled)
  }
}
