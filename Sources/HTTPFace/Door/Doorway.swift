package import Base
package import Bus
package import Face
package import RPC

/// What all requests at a door share. It passes news of the bus to the requests that wait for it. Only one
/// thread uses it at a time.
package final class Doorway {
  package let port: CallPort
  package let catalogue: Catalogue
  package let gatekeeper: Gatekeeper
  package let limits: DoorLimits
  /// The memory budget of all doors.
  let room: GatheringRoom
  private let workshop: Workshop<Conversion.Result>
  /// Makes responses that would take too long on the reactor's thread.
  private let press: Workshop<HTTPResponse>
  private let report: (CallRecord) -> Void

  private var calls: [UInt64: any CallOwner] = [:]
  private var jobs: [UInt64: CallExchange] = [:]
  private var pressed: [UInt64: SingleCallExchange] = [:]
  private var lastJob: UInt64 = 0
  private var news: [PortNews] = []
  private var reviews = ReviewTimer()
  private var held = HeldForNews<HeldExchange>()
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - wake: called from any thread when `deliver` has something to deliver that did not come from the bus.
  ///   - report: called with each call that is over.
  package init(
    port: CallPort, catalogue: Catalogue, gatekeeper: Gatekeeper, limits: DoorLimits,
    room: GatheringRoom = GatheringRoom(), workshop: Workshop<Conversion.Result>,
    wake: @escaping @Sendable () -> Void = {}, report: @escaping (CallRecord) -> Void
  ) {
    self.port = port
    self.catalogue = catalogue
    self.gatekeeper = gatekeeper
    self.limits = limits
    self.room = room
    self.workshop = workshop
    press = workshop.sibling()
    self.wake = wake
    self.report = report
  }

  /// How many calls have not ended.
  package var openCalls: Int { calls.count }

  func begin(_ request: PortRequest, for exchange: any CallOwner) -> PortCall {
    let call = port.begin(request)
    calls[call.number] = exchange
    return call
  }

  func forget(_ call: PortCall) { calls.removeValue(forKey: call.number) }

  /// Holds a request, and opens it when it is known what was revoked.
  func hold(_ open: @escaping () -> any Exchange) -> any Exchange {
    let exchange = HeldExchange(open)
    held.add(exchange, at: port.now, gatekeeper.news, wake: wake)
    return exchange
  }

  /// When held requests are opened even without news; nil while there are none.
  package var heldUntil: MonotonicTime? { held.until }

  /// Converts a message in the pool; returns the job's number, with which the exchange gets the result.
  func convert(_ bytes: [UInt8], by conversion: Conversion, for exchange: CallExchange) -> UInt64 {
    lastJob += 1
    jobs[lastJob] = exchange
    workshop.start(lastJob, for: exchange.holder, mustWait: conversion.direction == .answer) { () throws(Status) in
      try conversion(bytes)
    }
    return lastJob
  }

  /// Drops a conversion whose result nobody waits for any more.
  func giveUpConversion(_ job: UInt64) {
    jobs[job] = nil
    workshop.giveUp(job)
  }

  /// Makes a response in the pool; returns the job's number, by which it can be given up.
  func makeResponse(of plan: any SingleCall, to answer: [UInt8], for exchange: SingleCallExchange) -> UInt64 {
    lastJob += 1
    pressed[lastJob] = exchange
    press.start(lastJob, for: exchange.holder, mustWait: true) { () throws(Status) in try plan.response(to: answer) }
    return lastJob
  }

  func giveUpResponse(_ job: UInt64) {
    pressed[job] = nil
    press.giveUp(job)
  }

  func finished(_ record: CallRecord) { report(record) }

  /// Ends calls whose callers may no longer make them. Called repeatedly; returns when the next call is due, nil while
  /// no call is open.
  package func review(at now: MonotonicTime) -> MonotonicTime? {
    reviews.run(at: now, while: { !calls.isEmpty }) {
      for call in calls.values {
        if let caller = call.caller, let objection = gatekeeper.objection(to: caller) { call.fail(objection) }
      }
    }
  }

  /// Passes the news of the bus and of the pool on to the requests that wait for it.
  package func deliver() {
    for exchange in held.takeReady(at: port.now, gatekeeper.news) { exchange.release() }
    for (job, outcome) in workshop.takeFinished() { jobs.removeValue(forKey: job)?.converted(outcome, job) }
    for (job, outcome) in press.takeFinished() { pressed.removeValue(forKey: job)?.made(outcome) }
    port.takeNews(into: &news)
    for item in news { calls[item.call]?.take(item.content) }
    news.removeAll(keepingCapacity: true)
  }
}

/// The exchange that waits for a call's messages and outcome.
protocol CallOwner: AnyObject {
  func take(_ news: PortNews.Content)
  /// The caller whose rights are reviewed while the call is open; nil for calls too short for that.
  var caller: VerifiedCaller? { get }
  /// Ends the call with a status that the door gives.
  func fail(_ status: Status)
}

/// The rights of short calls are checked when they begin, and not reviewed while they run.
extension CallOwner {
  var caller: VerifiedCaller? { nil }
  func fail(_ status: Status) {}
}

/// What the log and the metrics get of a call that is over, or of a request that was refused before it became a call.
package struct CallRecord: Sendable {
  /// The protocol of the request, as far as its head shows.
  package enum Form: String, Sendable {
    case connect
    case grpc
    case grpcWeb = "grpc-web"
    /// A file, by its address.
    case download
    /// A page about a signed document.
    case page
    /// None of the forms of a call.
    case other
  }

  package var path: String
  package var form: Form
  package var code: StatusCode
  package var httpStatus: Int
  package var duration: Duration
  package var bytesIn: Int
  package var bytesOut: Int
  package var address: String
  package var account: String
  package var traceID: String
  /// Whether its duration counts in the statistics of calls: not that of a request refused by its head, nor of a
  /// stream, which lasts as long as its caller wants.
  package var isTimed = true
}

extension CallStyle.Dialect {
  var form: CallRecord.Form {
    switch self {
    case .connectUnary, .connectStream: .connect
    case .grpc: .grpc
    case .grpcWeb: .grpcWeb
    }
  }
}
