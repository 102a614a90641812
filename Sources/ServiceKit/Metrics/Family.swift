internal import Synchronization

/// Metrics of one name that differ in the values of their labels.
///
/// Look a member up once and keep it: `let accepted = calls.with("Render", "OK")`. Callers can cause new values of
/// labels, so the number of members is bounded: beyond the bound, all share one member whose labels are `other`.
public final class Family<Metric: Sendable>: Sendable {
  private let labelNames: [String]
  private let make: @Sendable () -> Metric
  private let limit: Int
  private let members = Mutex<[[String]: Metric]>([:])

  init(labelNames: [String], limit: Int, make: @escaping @Sendable () -> Metric) {
    self.labelNames = labelNames
    self.limit = limit
    self.make = make
  }

  /// The member whose labels have these values, in the order in which the labels were named.
  public func with(_ values: String...) -> Metric {
    with(values)
  }

  public func with(_ values: [String]) -> Metric {
    precondition(values.count == labelNames.count, "the labels are \(labelNames)")
    return members.withLock { members in
      if let known = members[values] { return known }
      let isFull = members.count >= limit
      let key = isFull ? labelNames.map { _ in "other" } : values
      if let shared = members[key] { return shared }
      let new = make()
      members[key] = new
      return new
    }
  }

  /// Removes the member with these values of labels, when the thing that it counted is gone for good.
  public func remove(_ values: String...) {
    members.withLock { $0[values] = nil }
  }

  /// All members with their labels, in a stable order.
  var snapshot: [(labels: [(String, String)], metric: Metric)] {
    let members = members.withLock { $0 }
    return members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (Array(zip(labelNames, $0.key)), $0.value) }
  }
}
