internal import Base
internal import PDF
internal import Synchronization

/// The fonts in a folder. Each is read when it is first needed, and then kept.
public final class FontFolder: Sendable {
  private let folder: String
  private let fonts = Mutex<[FontFile: FontProgram]>([:])

  /// Where Debian's packages put fonts.
  public static let usual = "/usr/share/fonts"

  public init(_ folder: String = FontFolder.usual) {
    self.folder = folder
  }

  /// Packages whose fonts are not in the folder.
  public var missingPackages: [String] {
    FontFile.needed.filter { !Files.exists("\(folder)/\($0.path)") }.map(\.package)
  }

  func font(_ file: FontFile) throws(DocumentError) -> FontProgram {
    if let font = fonts.withLock({ $0[file] }) { return font }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read("\(folder)/\(file.path)")
    } catch {
      throw .fontMissing(name: file.name, package: file.package, cause: "\(error)")
    }
    guard let font = FontProgram(bytes, face: file.face) else {
      throw .fontMissing(name: file.name, package: file.package, cause: "it is no font with outlines")
    }
    // Another thread may have read the file at the same time: the first one stays, so that a document has it once.
    return fonts.withLock { known in
      if let first = known[file] { return first }
      known[file] = font
      return font
    }
  }
}
