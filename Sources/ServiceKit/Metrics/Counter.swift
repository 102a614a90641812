internal import Synchronization

/// A count that only grows. Keep a reference to it where it is used: adding then costs one atomic operation.
public final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  public init() {}

  public func add(_ amount: UInt64 = 1) {
    count.wrappingAdd(amount, ordering: .relaxed)
  }

  public var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A number that goes up and down.
public final class Gauge: Sendable {
  private let number = Atomic<Int64>(0)

  public init() {}

  public func set(_ value: Int64) {
    number.store(value, ordering: .relaxed)
  }

  public func add(_ amount: Int64) {
    number.wrappingAdd(amount, ordering: .relaxed)
  }

  public var value: Int64 { number.load(ordering: .relaxed) }
}
