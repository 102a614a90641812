/// Looks whether a key list's file has changed, and puts what it says into force.
struct KeyListFollower: Sendable {
  private let path: String
  private let ring: KeyRing
  private var status: FileStatus?

  static let interval = Duration.milliseconds(100)

  /// Puts the list at `path` into force.
  init(path: String, ring: KeyRing) throws(KeyFileError) {
    self.path = path
    self.ring = ring
    status = FileStatus(of: path)
    ring.replace(with: try KeyListFile.read(path))
  }

  /// What came of looking, if the file is another than last time.
  mutating func look() -> Authenticator.Report? {
    // The status is taken first: a change during the reading shows the next time.
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
