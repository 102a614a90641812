internal import Glibc

/// A first-in, first-out queue on which threads wait: pthread's mutex and condition, wrapped once.
@safe package final class BlockingQueue<Element>: @unchecked Sendable {
  // Unchecked because the compiler cannot see that `mutex` guards everything below it.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var elements: [Element] = []
  private var first = 0
  private var isClosed = false
  private var sleeping = 0
  /// A thread was woken and has not come yet. When it comes and takes something and more is left, it wakes the next: whoever adds
  /// a hundred elements wakes one thread and not all, and each of the others only if it is still needed.
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
    elements.append(element)
    wakeIfNeeded()
    return true
  }

  /// The next element, as soon as there is one; nil once the queue is closed and empty.
  package func pop() -> Element? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while first == elements.count {
      if isClosed { return nil }
      sleep()
    }
    let element = elements[first]
    first += 1
    forgetTaken()
    wakeIfNeeded()
    return element
  }

  /// All that waits, at most `limit`, as soon as there is something; empty once the queue is closed and empty.
  package func popBatch(limit: Int) -> [Element] {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while first == elements.count {
      if isClosed { return [] }
      sleep()
    }
    let batch = Array(elements[first..<min(first + limit, elements.count)])
    first += batch.count
    forgetTaken()
    wakeIfNeeded()
    return batch
  }

  /// Refuses what comes from now on; what is in the queue can still be taken.
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
    guard first < elements.count, sleeping > 0, !isWaking else { return }
    isWaking = true
    unsafe pthread_cond_signal(filled)
  }

  private func forgetTaken() {
    guard first == elements.count || first >= 1024 else { return }
    elements.removeFirst(first)
    first = 0
  }
}
