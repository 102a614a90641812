internal import Base
package import Sealing
internal import ServicePolicy
package import Storage
internal import Synchronization

/// The keys that a process seals with: those of tenants that have their own, and one for all others.
///
/// If a tenant has a key of its own that cannot be used, its documents are not sealed with another one instead.
package final class TenantSealKeys: Sendable {
  private let common: SealKey?
  /// The folder of the tenants' own keys; nil: no tenant has one.
  private let folder: String?
  private let own = Mutex<[String: OwnKey]>([:])

  private struct OwnKey {
    let bytes: [UInt8]
    let passphrase: String
    let key: SealKey
  }

  private static let ending = ".key"

  /// nil without a common key and without a folder, since there can never be a key then. An empty folder may get one
  /// later.
  ///
  /// - Parameters:
  ///   - common: the key for all other tenants; nil: documents of tenants without a key of their own are not sealed.
  ///   - folder: has `TENANT.key` for each tenant with its own key, PEM or PKCS#12, and its passphrase, if it needs
  ///     one, in `TENANT.passphrase`.
  /// - Throws: when one of the keys cannot be used.
  package init?(common: SealKey?, folder: String?) throws {
    (self.common, self.folder) = (common, folder)
    guard common != nil || folder != nil else { return nil }
    for name in try folder.map({ try Files.names(in: $0) }) ?? [] where name.hasSuffix(Self.ending) {
      guard let tenant = Tenant(String(name.dropLast(Self.ending.count))) else {
        throw SealSetupError(description: "\(folder ?? "")/\(name) has the key of a tenant, and no tenant's name")
      }
      do {
        _ = try ownKey(of: tenant)
      } catch {
        throw SealSetupError(description: "\(folder ?? "")/\(name): \(error)")
      }
    }
  }

  /// The keys that were read, with their tenants; the common key has none.
  var all: [(tenant: String?, key: SealKey)] {
    var all: [(tenant: String?, key: SealKey)] = []
    if let common { all.append((nil, common)) }
    let known = own.withLock { $0 }
    for tenant in known.keys.sorted() {
      if let key = known[tenant]?.key { all.append((tenant, key)) }
    }
    return all
  }

  /// The key that seals for a tenant.
  package func key(of tenant: Tenant) throws -> SealKey {
    let found: SealKey?
    do {
      found = try ownKey(of: tenant)
    } catch let error as FileError {
      throw SealingError.key("the seal's key of tenant '\(tenant)' cannot be read: \(error)")
    }
    if let key = found ?? common { return key }
    throw Refusal(.precondition, "no_seal_key", "this process has no key that seals for tenant '\(tenant)'")
  }

  /// The certificates that a tenant's documents may have been sealed with. If the tenant's own key cannot be read now,
  /// the certificate of the one that was read last is among them.
  package func certificates(of tenant: Tenant) -> [Certificate] {
    _ = try? ownKey(of: tenant)
    return [common, own.withLock { $0[tenant.id]?.key }].compactMap { $0?.certificate }
  }

  /// A tenant's own key, as its file is now, so that a new or replaced key is used at once; nil if the tenant has none.
  private func ownKey(of tenant: Tenant) throws -> SealKey? {
    guard let folder else { return nil }
    let known = own.withLock { $0[tenant.id] }
    // A folder that cannot be listed is an error, since the tenant's key may be in it.
    let names = try Files.names(in: folder)
    guard names.contains(tenant.id + Self.ending) else {
      guard known == nil else {
        throw SealingError.key("the seal's key of tenant '\(tenant)' was taken away while this process runs")
      }
      return nil
    }
    let bytes = try Files.readPrivate("\(folder)/\(tenant)\(Self.ending)")
    var passphrase = ""
    if names.contains("\(tenant).passphrase") {
      let line = try Files.readPrivate("\(folder)/\(tenant).passphrase")
      passphrase = Self.firstLine(String(decoding: line, as: UTF8.self))
    }
    if let known, known.bytes == bytes, known.passphrase == passphrase { return known.key }
    let key = try Self.read(bytes, passphrase: passphrase)
    own.withLock { $0[tenant.id] = OwnKey(bytes: bytes, passphrase: passphrase, key: key) }
    return key
  }

  /// The first line of a file, without the line end.
  static func firstLine(_ text: String) -> String { String(text.prefix { !$0.isNewline }) }

  /// - Parameter certificates: the key's certificates in PEM; empty if they are in the key's file.
  static func read(_ bytes: [UInt8], certificates: [UInt8] = [], passphrase: String) throws(SealingError) -> SealKey {
    guard bytes.starts(with: Array("-----BEGIN".utf8)) || !certificates.isEmpty else {
      return try SealKey(pkcs12: bytes, passphrase: passphrase)
    }
    return try SealKey(pem: bytes, certificates: certificates, passphrase: passphrase)
  }
}
