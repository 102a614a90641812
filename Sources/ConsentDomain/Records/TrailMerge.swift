package import Base
package import ConsentContract
package import ServicePolicy
internal import Wire

/// A part of a study's trail: what one service has of it, from a position on.
package struct TrailPart: Equatable, Sendable {
  /// In the order of their numbers, which is that of their times.
  package var entries: [TrailEntry]
  /// The number of the last event that was read, of whatever study.
  package var last: Int64
  /// The time of that event; nil: there are no more events.
  package var readUntil: Instant?

  package init(entries: [TrailEntry], last: Int64, readUntil: Instant?) {
    (self.entries, self.last, self.readUntil) = (entries, last, readUntil)
  }

  /// Whether the numbers of a part that another service states are those of events after `sequence`, in their order.
  package func goesOn(after sequence: Int64) -> Bool {
    var number = sequence
    for entry in entries {
      guard entry.sequence > number else { return false }
      number = entry.sequence
    }
    return last >= number
  }
}

/// How far a reader of a trail has read each service's events.
package struct TrailPosition: Hashable, Sendable {
  package var consent: Int64
  package var signature: Int64

  package init(consent: Int64 = 0, signature: Int64 = 0) {
    (self.consent, self.signature) = (consent, signature)
  }

  /// - Parameter token: `page_token`; empty for the beginning.
  package init(token: String) throws(Refusal) {
    let parts = token.isEmpty ? [0, 0] : token.split(separator: "-").map { Int64($0) ?? -1 }
    guard parts.count == 2, parts.allSatisfy({ $0 >= 0 }) else {
      throw Refusal(
        .invalid, "bad_page_token", field: "page_token",
        "page_token is '\(token.shortened)'; it must be a next_page_token")
    }
    self.init(consent: parts[0], signature: parts[1])
  }

  package var token: String { "\(consent)-\(signature)" }
}

/// Puts the services' parts of a trail into one order of time.
package enum TrailMerge {
  /// The entries that come before everything that has not been read, and where to go on.
  package static func page(
    _ consent: TrailPart, _ signature: TrailPart
  ) -> (entries: [TrailEntry], next: (consent: Int64, signature: Int64)) {
    // A part that was read up to a time may have more right after it.
    let limit = [consent.readUntil, signature.readUntil].compactMap(\.self).min()
    let (first, afterFirst) = taken(consent, until: limit)
    let (second, afterSecond) = taken(signature, until: limit)
    let entries = (first + second).enumerated()
      .sorted { ($0.element.at.orEpoch, $0.offset) < ($1.element.at.orEpoch, $1.offset) }
    return (entries.map(\.element), (afterFirst, afterSecond))
  }

  private static func taken(_ part: TrailPart, until limit: Instant?) -> (entries: [TrailEntry], next: Int64) {
    let taken = part.entries.prefix { entry in limit.map { entry.at.orEpoch <= $0 } ?? true }
    if taken.count == part.entries.count { return (part.entries, part.last) }
    // Entries that were read and not taken are read again: the next part begins with the first of them.
    return (Array(taken), part.entries[taken.count].sequence - 1)
  }
}
