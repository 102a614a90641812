internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage

/// Copies changes of other services into this service's log, each once: the position moves in the transaction that
/// appends them. Any number of processes may follow at the same time.
struct LogFollower: Sendable {
  let database: Database
  let logs: any FollowedLogs
  /// Called with a log that cannot be followed, other than because its service is away.
  let report: @Sendable (FollowedFault) -> Void

  /// How many pages of one log are copied before it is the turn of the others.
  private static let mostPages = 20

  /// Copies what has happened since the last time; returns whether there is any log to follow.
  func run() async -> Bool {
    // If the database cannot be read, the next turn tries again.
    guard let places = try? await FollowedStore.places(in: database) else { return true }
    var unreachable: Set<FollowedService> = []
    for place in places where !Task.isCancelled && !unreachable.contains(place.service) {
      do {
        try await catchUp(place)
      } catch let status as Status where status.code == .unavailable {
        unreachable.insert(place.service)
      } catch {
        // What is wrong with one tenant's log must not hold up those of others.
        report(FollowedFault(service: place.service, tenant: place.tenant.id, failure: "\(error)"))
      }
    }
    return !places.isEmpty
  }

  private func catchUp(_ place: FollowedStore.Place) async throws {
    for _ in 0..<Self.mostPages where !Task.isCancelled {
      guard try await copyPage(place) else { return }
    }
  }

  /// Copies one page of a log.
  ///
  /// - Returns: whether another one may follow.
  private func copyPage(_ place: FollowedStore.Place) async throws -> Bool {
    let (scope, service) = (database.scope(place.tenant), place.service)
    let known = try await scope.read { try FollowedStore.position(in: service, $0) }
    guard let position = known else { return false }
    guard let page = try await page(after: position, place) else { return false }
    let isEnd = page.next == position.token
    if isEnd, !position.skips { return false }
    // A log is read from its beginning when nobody knows a position in it. What happened before that is told already,
    // or was not asked for.
    let events = position.skips ? Array(page.events.drop { $0.at <= position.until }) : page.events
    let next = FollowedStore.Position(
      token: page.next, until: events.last?.at ?? position.until, skips: position.skips && events.isEmpty && !isEnd)
    return try await scope.write { transaction in
      guard try FollowedStore.move(in: service, from: position, to: next, transaction) else { return false }
      for event in events { try event.copy(transaction) }
      return !isEnd
    }
  }

  /// The events after a position. If the service was restored and does not know it any more, they are read from the
  /// beginning, and those that were copied are skipped.
  private func page(
    after position: FollowedStore.Position, _ place: FollowedStore.Place
  ) async throws -> FollowedPage? {
    do {
      return try await logs.changes(in: place.service, after: position.token, tenant: place.tenant)
    } catch let status as Status where status.isRefusal(by: EventPosition.unknown) {
      let start = FollowedStore.Position(token: "", until: position.until, skips: true)
      _ = try await database.scope(place.tenant).write {
        try FollowedStore.move(in: place.service, from: position, to: start, $0)
      }
      return nil
    }
  }
}

/// A log that could not be followed.
package struct FollowedFault: Sendable {
  package let service: FollowedService
  package let tenant: String
  package let failure: String
}
