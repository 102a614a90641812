import Base
import Sealing

/// A seal's key in a file, as `assent keys seal` makes one.
enum SealKeyFile {
  @discardableResult
  static func write(to path: String, from: Duration = .seconds(-60)) throws -> SealKey {
    let now = Clock.system.now
    let key = try KeyMaker.make(
      name: "Test seal", from: now + from, until: now + from + .seconds(86_400),
      serial: [1] + Randomness.system.bytes(8))
    try Files.write(key.pem + key.certificate.pem, to: path, mode: 0o600)
    return key
  }
}
