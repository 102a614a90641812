import Base
import Synchronization

/// Makes a closure that may not suspend wait for a task.
final class Waiter: Sendable {
  private let queue = BlockingQueue<Void>()

  func finish() { _ = queue.push(()) }

  func wait() { _ = queue.pop() }
}
