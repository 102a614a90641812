internal import Base

/// Checks whether a key list's file has changed, and applies it.
struct KeyListFollower: Sendable {
  let path: String
  private let ring: KeyRing
  private var file: FollowedFile

  /// How often the file is looked at where the system cannot report that it changes.
  static let interval = Duration.milliseconds(100)
  /// How often it is looked at besides, because a list behind a symbolic link changes without a report.
  static let watchedInterval = Duration.seconds(5)

  /// Applies the list at `path`.
  init(path: String, ring: KeyRing) throws(KeyFileError) {
    self.path = path
    self.ring = ring
    file = FollowedFile(FileStatus(of: path))
    ring.replace(with: try KeyListFile.read(path))
  }

  /// The result of a check, if it says anything new.
  mutating func look(at now: MonotonicTime) -> Authenticator.Report? {
    guard file.isDue(FileStatus(of: path), at: now) else { return nil }
    do throws(KeyFileError) {
      let list = try KeyListFile.read(path)
      file.noteRead()
      ring.replace(with: list)
      return .reloaded(keys: list.entries.count)
    } catch {
      return file.noteFailure(error.description, at: now) ? .reloadFailed(why: error.description) : nil
    }
  }
}
