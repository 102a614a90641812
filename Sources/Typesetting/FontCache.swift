internal import Base
internal import Synchronization

/// The fonts in a folder. Each is read when it is first needed, and then kept.
final class FontCache: Sendable {
  private let folder: String
  private let faces = Mutex<[FontFile: Typeface]>([:])

  init(folder: String) {
    self.folder = folder
  }

  func face(_ file: FontFile) throws(TypesettingError) -> Typeface {
    if let face = faces.withLock({ $0[file] }) { return face }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try Files.read("\(folder)/\(file.path)") } catch { throw missing(file, "\(error)") }
    guard let face = Typeface(bytes) else { throw missing(file, "it is not a font") }
    // Another thread may have read the file at the same time: both have the same font.
    faces.withLock { $0[file] = face }
    return face
  }

  func has(_ file: FontFile) -> Bool { Files.exists("\(folder)/\(file.path)") }

  private func missing(_ file: FontFile, _ cause: String) -> TypesettingError {
    TypesettingError(
      reason: .fontMissing,
      description:
        "the font \(file.name) of Debian's package \(file.package) cannot be used where this process runs: \(cause)")
  }
}
