package import Base
package import Bus
package import Face
package import RPC

/// What all connections at the gRPC door share. It passes news of the bus to the calls that wait for it. Only one
/// thread uses it at a time.
package final class GRPCDoorway {
  package let port: CallPort
  package let limits: GRPCLimits
  let catalogue: Catalogue
  let gatekeeper: Gatekeeper
  let room: GatheringRoom
  private let expander: Workshop<[UInt8]>
  private let report: (GRPCCallRecord) -> Void
  private var calls: [UInt64: GRPCCall] = [:]
  private var expanding: [UInt64: GRPCCall] = [:]
  private var lastExpansion: UInt64 = 0
  private var news: [PortNews] = []
  private var reviews = ReviewTimer()
  private var held = HeldForNews<GRPCConnection>()
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - room: the memory budget of all doors.
  ///   - pool: decompresses messages, since a small one may hold a large one.
  ///   - wake: called from any thread when `deliver` has something to deliver that did not come from the bus.
  ///   - report: called with each call that is over.
  package init(
    port: CallPort, catalogue: Catalogue, gatekeeper: Gatekeeper, limits: GRPCLimits = GRPCLimits(),
    room: GatheringRoom = GatheringRoom(), pool: DoorPool = DoorPool(), wake: @escaping @Sendable () -> Void = {},
    report: @escaping (GRPCCallRecord) -> Void = { _ in }
  ) {
    self.port = port
    self.catalogue = catalogue
    self.gatekeeper = gatekeeper
    self.limits = limits
    self.report = report
    self.room = room
    self.wake = wake
    expander = Workshop(on: pool, wake: wake)
  }

  /// Lets a connection open its held requests when it is known what was revoked.
  func hold(_ connection: GRPCConnection) { held.add(connection, at: port.now, gatekeeper.news, wake: wake) }

  /// When they are opened even without news; nil while none is held.
  package var heldUntil: MonotonicTime? { held.until }

  /// Passes news on to the calls that wait for it, and calls `touched` with their connections, some of them repeatedly.
  package func deliver(_ touched: (GRPCConnection) -> Void) {
    for connection in held.takeReady(at: port.now, gatekeeper.news) {
      connection.proceed(at: port.now)
      touched(connection)
    }
    for (number, result) in expander.takeFinished() {
      guard let call = expanding.removeValue(forKey: number) else { continue }
      call.expanded(result)
      touched(call.connection)
    }
    port.takeNews(into: &news)
    for item in news {
      guard let call = calls[item.call] else { continue }
      call.take(item.content)
      touched(call.connection)
    }
    news.removeAll(keepingCapacity: true)
  }

  /// Ends calls whose callers may no longer make them. Called repeatedly; returns when the next call is due, nil while
  /// no call is open.
  package func review(at now: MonotonicTime, _ touched: (GRPCConnection) -> Void) -> MonotonicTime? {
    reviews.run(at: now, while: { !calls.isEmpty }) {
      for call in calls.values {
        guard let objection = gatekeeper.objection(to: call.caller) else { continue }
        call.fail(objection)
        touched(call.connection)
      }
    }
  }

  func begin(_ request: PortRequest, for call: GRPCCall) -> PortCall {
    let portCall = port.begin(request)
    calls[portCall.number] = call
    return portCall
  }

  func forget(_ call: PortCall) { calls.removeValue(forKey: call.number) }

  /// Decompresses a message in the pool; returns the job's number, by which it can be given up.
  func expand(_ bytes: [UInt8], for call: GRPCCall) -> UInt64 {
    lastExpansion += 1
    expanding[lastExpansion] = call
    let holder = call.caller.holder(at: call.connection.address)
    expander.start(lastExpansion, for: holder) { [limit = limits.largestMessage] () throws(Status) in
      try Gzip.decompress(bytes, limit: limit)
    }
    return lastExpansion
  }

  /// Drops a job whose result nobody waits for any more.
  func giveUpExpansion(_ number: UInt64) {
    expanding[number] = nil
    expander.giveUp(number)
  }

  func finished(_ record: GRPCCallRecord) { report(record) }
}

/// What the log and the metrics get of a call that is over.
package struct GRPCCallRecord: Sendable {
  package var path: String
  package var code: StatusCode
  package var duration: Duration
  package var bytesIn: Int
  package var bytesOut: Int
  package var address: String
  package var account: String
  package var traceID: String
  /// Whether its duration counts in the statistics of calls: not that of a request refused by its header, nor of a
  /// stream, which lasts as long as its caller wants.
  package var isTimed: Bool
}
