package import AccountContract

/// The progress of one sync. Totals may grow while it runs; the fraction never falls.
package struct ProgressMeter: Sendable {
  /// The progress that was reported last.
  package private(set) var latest: SyncProgress
  private let uploads: Int64
  private var uploaded: Int64 = 0

  /// - Parameter uploads: how many items will be uploaded; 0 when the sync only downloads changes.
  package init(uploads: Int64) {
    self.uploads = max(0, uploads)
    latest = SyncProgress(phase: uploads > 0 ? .uploading : .downloading, total: self.uploads)
  }

  /// The part of the progress bar that uploads fill: half of it, or nothing when there are none.
  private var uploadShare: Double { uploads > 0 ? 0.5 : 0 }

  package mutating func uploaded(_ count: Int) -> SyncProgress {
    uploaded += Int64(count)
    let total = max(uploads, uploaded)
    return progress(.uploading, uploaded, total, 0.5 * Double(uploaded) / Double(max(total, 1)))
  }

  package mutating func downloaded(_ completed: Int64, of total: Int64, isDone: Bool) -> SyncProgress {
    let total = max(total, completed)
    if isDone { return progress(.done, completed, total, 1) }
    // The bar is full only once the sync is done, whatever the counts say.
    let part = min(Double(completed) / Double(max(total, 1)), 0.99)
    return progress(.downloading, completed, total, uploadShare + (1 - uploadShare) * part)
  }

  private mutating func progress(
    _ phase: SyncPhase, _ completed: Int64, _ total: Int64, _ wanted: Double
  ) -> SyncProgress {
    let fraction = max(latest.fraction, min(wanted, 1))
    latest = SyncProgress(phase: phase, completed: completed, total: total, fraction: fraction)
    return latest
  }
}
