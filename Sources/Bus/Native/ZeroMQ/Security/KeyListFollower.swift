/// Checks whether a key list's file has changed, and applies it.
struct KeyListFollower: Sendable {
  let path: String
  private let ring: KeyRing
  private var status: FileStatus?

  /// How often the file is looked at where the system cannot report that it changes.
  static let interval = Duration.milliseconds(100)
  /// How often it is looked at besides, because a list behind a symbolic link changes without a report.
  static let watchedInterval = Duration.seconds(5)

  /// Applies the list at `path`.
  init(path: String, ring: KeyRing) throws(KeyFileError) {
    self.path = path
    self.ring = ring
    status = FileStatus(of: path)
    ring.replace(with: try KeyListFile.read(path))
  }

  /// The result of a check, if the file has changed since the last one.
  mutating func look() -> Authenticator.Report? {
    // The status is read first: a change during reading is noticed the next time.
    let status = FileStatus(of: path)
    guard status != self.status else { return nil }
    self.status = status
    do throws(KeyFileError) {
      let list = try KeyListFile.read(path)
      ring.replace(with: list)
      return .reloaded(keys: list.entries.count)
    } catch {
      return .reloadFailed(why: error.description)
    }
  }
}
