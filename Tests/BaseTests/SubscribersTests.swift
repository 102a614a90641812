import Base
import Synchronization
import Testing

@Suite struct SubscribersTests {
  @Test("each subscriber gets the newest element, and all streams end together")
  func newest() async {
    let subscribers = Subscribers<Int>()
    let early = subscribers.subscribe()
    subscribers.tell(1)
    let late = subscribers.subscribe()
    subscribers.tell(2)
    subscribers.end()
    #expect(await Array(early) == [2])
    #expect(await Array(late) == [2])
    #expect(await Array(subscribers.subscribe()).isEmpty)
  }

  @Test("newcomers are told what the others know")
  func newcomers() async {
    let subscribers = Subscribers<Int>()
    var early = subscribers.subscribe().makeAsyncIterator()
    subscribers.tell(1)
    #expect(await early.next() == 1)
    var late = subscribers.subscribe().makeAsyncIterator()
    subscribers.tellNewcomers(1)
    subscribers.tellNewcomers(1)
    #expect(await late.next() == 1)
    subscribers.tell(2)
    #expect(await early.next() == 2)
    #expect(await late.next() == 2)
  }

  @Test("a subscriber that is cancelled leaves")
  func leaving() async {
    let subscribers = Subscribers<Int>()
    let task = Task { for await _ in subscribers.subscribe() {} }
    while subscribers.isEmpty { await Task.yield() }
    task.cancel()
    await task.value
    #expect(subscribers.isEmpty)
  }

  /// Each of the two holds a lock that the other one needs, if an element is yielded under the lock.
  @Test("subscribers may be cancelled while they are told something", .timeLimit(.minutes(1)))
  func cancelledWhileTold() async {
    let subscribers = Subscribers<Int>()
    let isOver = Atomic(false)
    let telling = Task.detached {
      var number = 0
      while !isOver.load(ordering: .relaxed) {
        number += 1
        subscribers.tell(number)
      }
    }
    for _ in 0..<20_000 {
      let task = Task { for await _ in subscribers.subscribe() {} }
      while subscribers.isEmpty { await Task.yield() }
      task.cancel()
      await task.value
    }
    isOver.store(true, ordering: .relaxed)
    await telling.value
  }
}

extension Array {
  /// All that a stream yields.
  fileprivate init(_ stream: AsyncStream<Element>) async {
    self = []
    for await element in stream { append(element) }
  }
}
