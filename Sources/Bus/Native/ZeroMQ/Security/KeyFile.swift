internal import Base
internal import Wire

/// A key pair in a file of two lines, `public …` and `secret …`, which only its owner may read.
public enum KeyFile {
  /// Writes a new file; one that exists is never replaced.
  public static func write(_ keys: CurveKeyPair, to path: String) throws(KeyFileError) {
    let isNew: Bool
    do throws(FileError) {
      isNew = try Files.writeNew(Array("\(text(of: keys))\n".utf8), to: path, mode: 0o600)
    } catch {
      throw KeyFileError(error.description)
    }
    guard isNew else { throw KeyFileError("\(path) exists already, and a key is never overwritten") }
  }

  /// The lines of a file with the keys.
  public static func text(of keys: CurveKeyPair) -> String {
    "public \(keys.publicKey)\nsecret \(keys.secretKey.text)"
  }

  /// Reads a key file, unless others may use it too. The rule is that of all secrets, which admits those of containers.
  public static func read(_ path: String) throws(KeyFileError) -> CurveKeyPair {
    let text: String
    do throws(FileError) {
      text = String(decoding: try Files.readPrivate(path, limit: 4096), as: UTF8.self)
    } catch {
      throw KeyFileError(error.description)
    }
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2 { fields[parts[0]] = String(parts[1]) }
    }
    guard let secret = fields["secret"].flatMap(CurveSecretKey.init(text:)) else {
      throw KeyFileError("\(path) has no line “secret” with 40 digits of Z85")
    }
    let keys = CurveKeyPair(secretKey: secret)
    guard fields["public"] == nil || fields["public"] == keys.publicKey.text else {
      throw KeyFileError("the public key in \(path) does not belong to the secret one")
    }
    return keys
  }
}

/// Why a key file or key list cannot be used.
public struct KeyFileError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  static func readText(_ path: String, limit: Int) throws(KeyFileError) -> String {
    do throws(FileError) {
      return String(decoding: try Files.read(path, limit: limit), as: UTF8.self)
    } catch {
      throw KeyFileError(error.description)
    }
  }
}
