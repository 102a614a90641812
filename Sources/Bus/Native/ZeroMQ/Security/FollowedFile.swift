package import Base

/// Which version of a followed file was read last, and whether the file is to be read again.
///
/// A file that could not be read is tried again although it stays as it is: what hindered that, such as a lack of
/// descriptors or a disk, may pass without a change of the file.
package struct FollowedFile: Sendable {
  private var status: FileStatus?
  private var failure: Failure?

  private static let retryInterval = Duration.seconds(1)

  private struct Failure {
    let why: String
    let at: MonotonicTime
    /// When this reason was news.
    let reportedAt: MonotonicTime
  }

  /// - Parameter status: of the version that was read first; nil when there was no file.
  package init(_ status: FileStatus?) {
    self.status = status
  }

  /// Whether the file is to be read now.
  ///
  /// - Parameter status: taken before the file is read, so that a change meanwhile is noticed the next time.
  package mutating func isDue(_ status: FileStatus?, at now: MonotonicTime) -> Bool {
    guard status == self.status else {
      self.status = status
      // A file that is just being replaced may be seen in two versions with one content.
      if let told = failure?.reportedAt, now - told >= Self.retryInterval { failure = nil }
      return true
    }
    return failure.map { now - $0.at >= Self.retryInterval } ?? false
  }

  package mutating func noteRead() { failure = nil }

  /// Records why this version of the file could not be read; returns whether that is news.
  package mutating func noteFailure(_ why: String, at now: MonotonicTime) -> Bool {
    let known = failure.flatMap { $0.why == why ? $0 : nil }
    failure = Failure(why: why, at: now, reportedAt: known?.reportedAt ?? now)
    return known == nil
  }
}
