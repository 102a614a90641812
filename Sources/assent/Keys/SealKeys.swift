internal import Base
internal import Sealing
internal import ServiceKit
internal import Storage

/// Makes keys that seal documents, for development.
enum SealKeys {
  /// Writes a tenant's own key into the folder of such keys.
  static func make(in folder: String, for tenant: String, name: String) throws {
    guard Tenant(tenant) != nil else {
      throw KeysError("'\(tenant)' names no tenant: 1 to 64 letters, digits, dots, hyphens and underscores")
    }
    try Files.makeFolder(folder, mode: 0o700)
    try make("\(folder)/\(tenant).key", name: name, organization: tenant)
    say("  SignatureService --seal-key-folder \(folder) seals documents of tenant '\(tenant)' with it from now on.")
  }

  /// Writes a key with its certificate, which vouches for itself and says so in its name.
  static func make(_ path: String, name: String, organization: String = "") throws {
    let isNew = try Files.makeSecret(path) {
      let key = try development(named: name, organization: organization)
      // The certificate is written first, since a process may seal with the key as soon as the key's file exists. Of
      // two who make one key at a time, the second comes here no more.
      try Files.write(key.certificate.pem, to: "\(path).crt")
      return key.pem + key.certificate.pem
    }
    guard isNew else { throw KeysError("\(path) exists; a key is never overwritten") }
    say("✓ \(path)  the key and its certificate: keep it to the process that seals")
    say("  \(path).crt  the certificate: assent verify FILE.pdf --trust \(path).crt")
    say("! It is self-signed and for development only: nobody but you has a reason to trust what it seals.")
    say("  For documents that count, get a certificate for digital signatures from an authority that others trust.")
  }

  /// Adds a key's certificate to a file of certificates that checks of documents trust, unless it has it. The others in
  /// the file stay: those of former keys, whose seals would not be trusted without them, and those of operators.
  static func add(_ certificate: Certificate, to path: String) throws {
    let known = Files.exists(path) ? try Files.read(path, limit: 1 << 20) : []
    if Certificate.list(pem: known).contains(certificate) { return }
    try Files.write(certificate.pem + known, to: path, mode: 0o644)
  }

  /// A key whose certificate vouches for itself, and says so in its name.
  static func development(named name: String, organization: String = "") throws -> SealKey {
    let now = Clock.system.now
    return try KeyMaker.make(
      name: "\(name) (development, self-signed)", organization: organization, from: now + .seconds(-60),
      until: now + .days(365), serial: [1] + Randomness.system.bytes(15))
  }
}
