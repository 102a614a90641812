import Base
import Bus
import ServiceKit
import Synchronization
import Testing

@testable import gateway

@Suite("what a gateway's log says of its peers is bounded")
final class GatewayReporterTests: Sendable {
  private let time = Mutex(MonotonicTime(nanoseconds: 0))
  private let capture = LogCapture()

  private func reporter() -> GatewayReporter {
    let clock = Base.Clock(wall: { Instant(millisecondsSince1970: 0) }, monotonic: { [self] in time.withLock { $0 } })
    return GatewayReporter(log: capture.log(), metrics: Metrics(), clock: clock, spans: nil)
  }

  private func offence(of key: String?, on link: Int) -> BusServer.Report {
    let event = RouterEvent.offence(session: 1, instance: "i", key: key ?? "", what: "it sent noise")
    return .router(RouterNews(peer: Peer(door: .clients, link: UInt64(link)), key: key, event: event))
  }

  @Test("one key has one budget of lines, however many connections it opens, and another key its own")
  func budgetOfKey() {
    let reporter = reporter()
    for link in 0..<100 { reporter.take(offence(of: "acme/kiosk", on: link)) }
    #expect(capture.events.count == 20)
    reporter.take(offence(of: "acme/tablet", on: 100))
    #expect(capture.events.count == 21)
    time.withLock { $0 = $0 + .seconds(2) }
    reporter.take(offence(of: "acme/kiosk", on: 101))
    #expect(capture.events.last?["lines_left_out"] == .integer(80))
  }

  @Test("without a key, each connection has a budget")
  func budgetOfConnection() {
    let reporter = reporter()
    for link in [1, 2] { for _ in 0..<100 { reporter.take(offence(of: nil, on: link)) } }
    #expect(capture.events.count == 40)
  }

  @Test("sessions that begin and end, lost calls and unreadable messages of a key share its budget")
  func budgetOfAllEvents() {
    let reporter = reporter()
    for link in 0..<30 {
      let peer = Peer(door: .services, link: UInt64(link))
      for event: RouterEvent in [
        .sessionBegan(session: 1, instance: "i", role: .worker, services: []),
        .sessionEnded(session: 1, instance: "i", reason: .bye), .callsLost(session: 1, retried: 0, failed: 1),
      ] {
        reporter.take(.router(RouterNews(peer: peer, key: "render-1", event: event)))
      }
      reporter.take(.unreadable(peer, key: "render-1", why: "it is noise"))
    }
    #expect(capture.events.count == 20)
    #expect(capture.events(named: "calls lost with a service").count == 5)
  }

  @Test("refusals of a key have one line a minute")
  func refusals() {
    let reporter = reporter()
    let event = RouterEvent.helloRefused(instance: "i", key: "acme/kiosk", why: "too many sessions")
    for link in 0..<50 {
      let peer = Peer(door: .clients, link: UInt64(link))
      reporter.take(.router(RouterNews(peer: peer, key: "acme/kiosk", event: event)))
    }
    #expect(capture.events(named: "hello refused").count == 1)
  }
}
