package import Base
package import Storage

/// The identifier that is printed on a copy: its tenant, and a number that nobody can guess.
package struct VerificationID: Hashable, Sendable, CustomStringConvertible {
  package let tenant: Tenant
  package let code: String

  package init(of tenant: Tenant, _ randomness: Randomness) {
    (self.tenant, code) = (tenant, Hex.encode(randomness.bytes(16)))
  }

  /// nil for a text that is no such identifier.
  package init?(_ text: String) {
    guard text.utf8.count <= 128, let dot = text.lastIndex(of: "."), let tenant = Tenant(String(text[..<dot])) else {
      return nil
    }
    let code = text[text.index(after: dot)...]
    guard code.utf8.count == 32, Hex.decode(String(code)) != nil else { return nil }
    (self.tenant, self.code) = (tenant, code.lowercased())
  }

  package var description: String { "\(tenant.id).\(code)" }
}
