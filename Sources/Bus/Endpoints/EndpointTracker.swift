/// What changed in a set of endpoints with numeric addresses.
package struct EndpointChange: Equatable, Sendable {
  package var added: [String]
  package var removed: [String]

  package init(added: [String], removed: [String]) {
    self.added = added
    self.removed = removed
  }

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}

/// Resolves a list of endpoints to numeric ones, and keeps the result from one look-up to the next.
struct EndpointTracker {
  private let named: [BusEndpoint]
  private var known: [BusEndpoint: [String]] = [:]

  init(_ named: [BusEndpoint]) {
    self.named = named
  }

  /// Whether another look-up may have another result.
  var hasNames: Bool { named.contains { !$0.isLocal && !$0.isNumeric } }

  /// Looks every name up again. If a look-up fails, its earlier result stays.
  mutating func update(_ lookup: (String) -> [String]?) -> EndpointChange {
    let before = Set(known.values.joined())
    for endpoint in named {
      guard case .tcp(let host, let port) = endpoint.place, !endpoint.isNumeric else {
        known[endpoint] = [endpoint.description]
        continue
      }
      guard let addresses = lookup(host), !addresses.isEmpty else { continue }
      known[endpoint] = addresses.map { $0.contains(":") ? "tcp://[\($0)]:\(port)" : "tcp://\($0):\(port)" }
    }
    let after = Set(known.values.joined())
    return EndpointChange(added: after.subtracting(before).sorted(), removed: before.subtracting(after).sorted())
  }
}
