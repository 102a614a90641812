internal import Glibc

/// A first-in, first-out queue with threads that wait for elements: the only wrapper of pthread's mutex and condition.
@safe package final class BlockingQueue<Element>: @unchecked Sendable {
  // `@unchecked` because the compiler cannot see that `mutex` guards everything below it.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var line = WaitingLine<Element>()
  private var isClosed = false
  private var sleeping = 0
  /// Whether a thread was woken that has not run yet. When it does, takes an element and leaves some, it wakes the next
  /// thread. So adding a hundred elements wakes one thread instead of all, and each further thread only if it is
  /// needed.
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

  /// Adds an element; returns false if the queue is closed.
  package func push(_ element: consuming Element) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    guard !isClosed else {
      unsafe pthread_mutex_unlock(mutex)
      return false
    }
    line.append(element)
    unlock()
    return true
  }

  /// Waits for the next element; nil once the queue is closed and empty.
  package func pop() -> Element? {
    unsafe pthread_mutex_lock(mutex)
    defer { unlock() }
    while line.isEmpty {
      if isClosed { return nil }
      sleep()
    }
    return line.popFirst()
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

  /// Gives the mutex back, and wakes a thread if there is work for one. Not the other way round: the thread would find
  /// the mutex taken, sleep once more, and have to be woken twice.
  private func unlock() {
    let wakes = !line.isEmpty && sleeping > 0 && !isWaking
    if wakes { isWaking = true }
    unsafe pthread_mutex_unlock(mutex)
    if wakes { unsafe pthread_cond_signal(filled) }
  }
}
