public import Base
internal import Outgoing
public import Storage
internal import Synchronization

/// Sends the events of a database to its webhooks. Any number of processes may run a sender on the same database; a
/// lease lets one of them at a time send to a webhook.
public struct WebhookSender: Sendable {
  private let database: Database
  private let webhooks: WebhookRegister
  private let clock: Clock
  private let report: @Sendable (WebhookReport) -> Void

  /// - Parameter report: called when a receiver begins to fail, when it accepts events again, and when a webhook's
  ///   queue is full.
  public init(
    _ database: Database, _ webhooks: WebhookRegister, clock: Clock,
    report: @escaping @Sendable (WebhookReport) -> Void = { _ in }
  ) {
    self.database = database
    self.webhooks = webhooks
    self.clock = clock
    self.report = report
  }

  /// Sends until the task is cancelled or the database is closed.
  public func run() async {
    let running = RunningWebhooks()
    await WorkSearch(database, restingFor: .milliseconds(50)).run { begin in
      // If the database cannot be read, the next search tries again.
      let work = try? await ProgressStore.work(in: database, at: clock.now, webhooks.policy)
      for place in work?.due ?? [] where running.begin(place) {
        begin {
          let run = WebhookRun(
            place: place, scope: database.scope(place.tenant), webhooks: webhooks, clock: clock, report: report,
            noteFull: { if running.note(place, isFull: $0) { report(WebhookReport(place, .isFull)) } })
          await run.go()
          running.end(place)
          return nil
        }
      }
      return work?.isWaiting == false ? webhooks.policy.quietInterval : webhooks.policy.interval
    }
  }
}

/// News about a webhook, as a line for the log.
public struct WebhookReport: Hashable, Sendable {
  public let webhook: String
  public let tenant: String
  public let words: String
  /// Why the receiver accepts nothing; empty in other reports.
  public let failure: String

  enum News {
    /// The receiver begins to fail.
    case fails(String)
    case accepts
    /// The queue has reached its greatest length, so that further events stay in the log.
    case isFull
  }

  init(_ place: ProgressStore.Place, _ news: News) {
    (webhook, tenant) = (place.id, place.tenant.id)
    switch news {
    case .fails(let failure): (words, self.failure) = ("a webhook accepts no events", failure)
    case .accepts: (words, failure) = ("a webhook accepts events again", "")
    case .isFull: (words, failure) = ("a webhook's queue is full", "")
    }
  }
}

/// The webhooks that this process is sending to.
private final class RunningWebhooks: Sendable {
  private let places = Mutex(Set<ProgressStore.Place>())
  private let full = Mutex(Set<ProgressStore.Place>())

  /// Notes that sending to a webhook begins. Returns false if it is being sent to already, or too many are.
  func begin(_ place: ProgressStore.Place) -> Bool {
    places.withLock { places in
      guard places.count < WebhookPolicy.mostAtOnce,
        places.count(where: { $0.tenant == place.tenant }) < WebhookPolicy.mostAtOnceOfTenant
      else { return false }
      return places.insert(place).inserted
    }
  }

  func end(_ place: ProgressStore.Place) {
    places.withLock { _ = $0.remove(place) }
  }

  /// Notes whether a webhook's queue is full. Returns whether it is, and was not before.
  func note(_ place: ProgressStore.Place, isFull: Bool) -> Bool {
    full.withLock { full in
      guard !isFull else { return full.insert(place).inserted }
      full.remove(place)
      return false
    }
  }
}
