internal import Synchronization

/// The type of a metric, as Prometheus calls it.
package enum MetricKind: String, Sendable {
  case counter, gauge, histogram
}

/// All metrics of a process, and their text for Prometheus.
public final class Metrics: Sendable {
  /// The most members of a family, so that a scrape stays small whatever callers send.
  public static let membersPerFamily = 1000

  private let entries = Mutex<[String: Entry]>([:])

  struct Entry: Sendable {
    let help: String
    let kind: String
    let samples: @Sendable () -> [Sample]
  }

  public init() {}

  public func counter(_ name: String, _ help: String) -> Counter {
    counters(name, help, labels: []).with([])
  }

  public func counters(_ name: String, _ help: String, labels: [String]) -> Family<Counter> {
    let family = Family(labelNames: labels, limit: Self.membersPerFamily) { Counter() }
    register(name, help, kind: "counter", labels: labels) {
      family.snapshot.map { Sample(name, $0.labels, Double($0.metric.value)) }
    }
    return family
  }

  public func gauge(_ name: String, _ help: String) -> Gauge {
    gauges(name, help, labels: []).with([])
  }

  public func gauges(_ name: String, _ help: String, labels: [String]) -> Family<Gauge> {
    let family = Family(labelNames: labels, limit: Self.membersPerFamily) { Gauge() }
    register(name, help, kind: "gauge", labels: labels) {
      family.snapshot.map { Sample(name, $0.labels, Double($0.metric.value)) }
    }
    return family
  }

  /// A gauge that is read at each scrape.
  public func gauge(_ name: String, _ help: String, read: @escaping @Sendable () -> Double) {
    register(name, help, kind: "gauge", labels: []) { [Sample(name, [], read())] }
  }

  /// A counter that another part keeps, and that is read at each scrape.
  public func counter(_ name: String, _ help: String, read: @escaping @Sendable () -> Double) {
    register(name, help, kind: "counter", labels: []) { [Sample(name, [], read())] }
  }

  public func histogram(_ name: String, _ help: String, bounds: [Double] = Histogram.callSeconds) -> Histogram {
    histograms(name, help, labels: [], bounds: bounds).with([])
  }

  public func histograms(
    _ name: String, _ help: String, labels: [String], bounds: [Double] = Histogram.callSeconds
  ) -> Family<Histogram> {
    let family = Family(labelNames: labels, limit: Self.membersPerFamily) { Histogram(bounds: bounds) }
    register(name, help, kind: "histogram", labels: labels) {
      family.snapshot.flatMap { Sample.samples(of: $0.metric, name: name, labels: $0.labels) }
    }
    return family
  }

  /// Metrics that another part keeps, with any labels, and that are read at each scrape.
  package func samples(
    _ name: String, _ help: String, kind: MetricKind, read: @escaping @Sendable () -> [Sample]
  ) {
    register(name, help, kind: kind.rawValue, labels: [], samples: read)
  }

  /// All metrics now, in Prometheus' text format.
  public var exposition: String {
    let entries = entries.withLock { $0 }
    return entries.sorted { $0.key < $1.key }.map { Exposition.text(name: $0.key, entry: $0.value) }.joined()
  }

  private func register(
    _ name: String, _ help: String, kind: String, labels: [String], samples: @escaping @Sendable () -> [Sample]
  ) {
    precondition(Exposition.isName(name, colons: true), "'\(name)' is not a valid name of a metric")
    precondition(labels.allSatisfy { Exposition.isName($0, colons: false) && $0 != "le" }, "\(labels) are not labels")
    entries.withLock { entries in
      let former = entries.updateValue(Entry(help: help, kind: kind, samples: samples), forKey: name)
      precondition(former == nil, "there is a metric '\(name)' already")
    }
  }
}
