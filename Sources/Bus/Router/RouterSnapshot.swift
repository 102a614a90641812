package import Base

/// A router's knowledge of the processes and services behind it, at one moment: for operators and metrics.
package struct RouterSnapshot: Sendable {
  package var instances: [Instance]
  package var services: [Service]
  package var clients: Int
  package var openCalls: Int
  package var waitingBytes: Int
  /// Whether the gateway is about to stop, even if it still takes calls.
  package var isLeaving: Bool

  /// The snapshot of a router that has stopped.
  package static let stopped = RouterSnapshot(
    instances: [], services: [], clients: 0, openCalls: 0, waitingBytes: 0, isLeaving: true)

  package struct Instance: Sendable {
    package let id: String
    package let version: String
    package let name: String
    /// Empty for sockets on this machine.
    package let address: String
    package let services: [String]
    package let slots: Int
    package let inFlight: Int
    package let isLeaving: Bool
    package let isSuspect: Bool
    package let isWedged: Bool
    package let age: Duration
    package let counts: CallCounts
    package let callsPerSecond: Double
    package let notices: [String]
  }

  package struct Service: Sendable {
    package let name: String
    package let instances: Int
    package let waiting: Int
    package let inFlight: Int
    package let counts: CallCounts
    package let callsPerSecond: Double
    package let refusedPerSecond: Double
  }
}

extension Router {
  package mutating func snapshot(at now: MonotonicTime) -> RouterSnapshot {
    let workers = workers
    for worker in workers { checkFaltering(worker, at: now) }
    return RouterSnapshot(
      instances: workers.map { instance($0, at: now) }.sorted {
        ($0.services.first ?? "", $0.id) < ($1.services.first ?? "", $1.id)
      },
      services: serviceSnapshots().sorted { $0.name < $1.name },
      clients: sessions.count - workers.count, openCalls: calls.count, waitingBytes: waitingBytes,
      isLeaving: isLeaving || isDraining)
  }

  private func instance(_ session: WorkerSession, at now: MonotonicTime) -> RouterSnapshot.Instance {
    RouterSnapshot.Instance(
      id: session.hello.instance, version: session.hello.version, name: session.hello.address,
      address: session.hello.dialledFrom,
      services: session.hello.services.map(\.name), slots: Int(session.hello.slots), inFlight: session.running,
      isLeaving: session.isLeaving, isSuspect: session.isSuspect(configuration, at: now),
      isWedged: session.isWedged(configuration, at: now),
      age: now - session.startedAt, counts: session.counts, callsPerSecond: session.rate.perSecond,
      notices: session.load.notices)
  }

  private func serviceSnapshots() -> [RouterSnapshot.Service] {
    var inFlight = [Int](repeating: 0, count: services.count)
    for call in calls.all where call.worker != nil { inFlight[call.service] += 1 }
    return zip(services, inFlight).filter(\.0.wasOffered).map { service, inFlight in
      RouterSnapshot.Service(
        name: service.name, instances: service.workers.count, waiting: service.queue.count, inFlight: inFlight,
        counts: service.counts, callsPerSecond: service.rateOfCalls.perSecond,
        refusedPerSecond: service.rateOfRefusals.perSecond)
    }
  }

  /// Samples the counts; called at every ping.
  mutating func sampleRates(at now: MonotonicTime) {
    for worker in workers { worker.rate.sample(worker.counts.finished, at: now) }
    for service in services.indices { services[service].sampleRates(at: now) }
  }
}

extension RouterService {
  fileprivate mutating func sampleRates(at now: MonotonicTime) {
    rateOfCalls.sample(counts.finished, at: now)
    rateOfRefusals.sample(counts.refused, at: now)
  }
}
