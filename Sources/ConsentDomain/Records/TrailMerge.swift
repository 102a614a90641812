package import Base
package import CommonContract
package import Refusals
internal import Wire

/// A part of a study's trail: what one service has of it, from a position on.
package struct TrailPart: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package var entry: TrailEntry
    /// The position behind the entry.
    package var end: EventPosition

    package init(_ entry: TrailEntry, end: EventPosition) {
      (self.entry, self.end) = (entry, end)
    }
  }

  /// The position that was asked for.
  package var start: EventPosition
  /// In the order of their numbers, which is that of their times.
  package var steps: [Step]
  /// The position behind the last event that was read, of whatever study.
  package var end: EventPosition
  /// The time of that event; nil: there are no more events.
  package var readUntil: Instant?

  package init(start: EventPosition, steps: [Step], end: EventPosition, readUntil: Instant?) {
    (self.start, self.steps, self.end, self.readUntil) = (start, steps, end, readUntil)
  }

  /// Whether the numbers of a part that another service states are those of events after its start, in their order.
  package var goesOn: Bool {
    var number = start.sequence
    for step in steps {
      guard step.entry.sequence > number, step.end.sequence == step.entry.sequence else { return false }
      number = step.entry.sequence
    }
    return end.sequence >= number
  }
}

/// How far a reader of a trail has read each service's events. Each position says whose log it is in.
package struct TrailPosition: Hashable, Sendable {
  package var consent: EventPosition
  package var signature: EventPosition

  package init(consent: EventPosition, signature: EventPosition) {
    (self.consent, self.signature) = (consent, signature)
  }

  /// - Parameter token: `page_token`; empty for the beginning.
  package init(token: String) throws(Refusal) {
    let parts = (token.isEmpty ? "0-0" : token).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts.contains(""), let consent = try? EventPosition(token: parts[0]),
      let signature = try? EventPosition(token: parts[1])
    else {
      throw Refusal(
        .invalid, EventPosition.unreadable, field: "page_token",
        "page_token is '\(token.shortened)'; it must be a next_page_token or two numbers, as 900-400")
    }
    self.init(consent: consent, signature: signature)
  }

  package var token: String { "\(consent.token)-\(signature.token)" }
}

/// Puts the services' parts of a trail into one order of time.
package enum TrailMerge {
  /// The entries that come before everything that has not been read, and where to go on.
  package static func page(
    _ consent: TrailPart, _ signature: TrailPart
  ) -> (entries: [TrailEntry], next: TrailPosition) {
    // A part that was read up to a time may have more right after it.
    let limit = [consent.readUntil, signature.readUntil].compactMap(\.self).min()
    let (first, afterFirst) = taken(consent, until: limit)
    let (second, afterSecond) = taken(signature, until: limit)
    let entries = (first + second).enumerated()
      .sorted { ($0.element.at.orEpoch, $0.offset) < ($1.element.at.orEpoch, $1.offset) }
    return (entries.map(\.element), TrailPosition(consent: afterFirst, signature: afterSecond))
  }

  private static func taken(
    _ part: TrailPart, until limit: Instant?
  ) -> (entries: [TrailEntry], next: EventPosition) {
    let taken = part.steps.prefix { step in limit.map { step.entry.at.orEpoch <= $0 } ?? true }
    // What was read behind the last entry that was taken is read again.
    let next = taken.count == part.steps.count ? part.end : taken.last?.end ?? part.start
    return (taken.map(\.entry), next)
  }
}
