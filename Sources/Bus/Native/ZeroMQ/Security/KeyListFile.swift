internal import Base

/// A key list on disk. It is replaced as a whole, so that a reader never sees half of one.
public enum KeyListFile {
  private static let limit = 4 << 20

  public static func read(_ path: String) throws(KeyFileError) -> KeyList {
    let text = try KeyFileError.readText(path, limit: limit)
    guard let status = FileStatus(of: path), status.mode & 0o022 == 0 else {
      throw KeyFileError("\(path) can be written by others: chmod 644 \(path)")
    }
    guard text.isEmpty || text.hasSuffix("\n") else {
      throw KeyFileError("\(path), the last line has no end, so the file may be half written: end it with a line break")
    }
    do throws(KeyListError) {
      return try KeyList(parsing: text)
    } catch {
      throw KeyFileError("\(path), \(error)")
    }
  }

  public static func write(_ list: KeyList, to path: String) throws(KeyFileError) {
    do throws(FileError) {
      try Files.write(Array(list.text.utf8), to: path, mode: 0o644)
    } catch {
      throw KeyFileError(error.description)
    }
  }
}
