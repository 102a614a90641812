package import Base
package import ConsentContract
internal import Wire

/// A time during which a record permitted a purpose; without an end while it does.
package struct PermittedPeriod: Hashable, Sendable {
  package var start: Instant
  package var end: Instant?
}

extension ConsentRecord {
  /// When this record permitted a purpose: the times at which `CheckConsent` said yes because of it, gap by gap.
  ///
  /// - Parameter lapse: when it ends without anybody's doing; nil if never. The entry that says so may be later.
  package func permittedPeriods(of purpose: String, lapse: Instant?) -> [PermittedPeriod] {
    var folded = self
    folded.history = []
    folded = folded.refolded()
    var periods: [PermittedPeriod] = []
    for entry in history {
      folded.append(entry)
      let permits = folded.state == .inForce && folded.standingPurposes.contains(purpose)
      let isOpen = periods.last.map { $0.end == nil } ?? false
      let at = entry.at.orEpoch
      if permits, !isOpen {
        periods.append(PermittedPeriod(start: at))
      } else if !permits, isOpen {
        periods[periods.count - 1].end = at
      }
    }
    return periods.filter { period in lapse.map { period.start < $0 } ?? true }.map { period in
      // A clock that was set back ends a period before it began: then nobody knows how long it was.
      let end = [period.end, lapse].compactMap(\.self).min().map { max($0, period.start) }
      return PermittedPeriod(start: period.start, end: end)
    }
  }
}
