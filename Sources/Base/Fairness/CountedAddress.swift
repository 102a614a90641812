/// The form of a client's address that limits are counted by.
package enum CountedAddress {
  /// An IPv4 address counts as itself, even when it is written as an IPv6 address. An IPv6 address counts as its
  /// network, the first 64 bits: a host may use any address of its network, and could otherwise evade every limit.
  package static func of(_ address: String) -> String {
    guard address.contains(":") else { return address }
    if address.hasPrefix(mapped), address.contains(".") { return String(address.dropFirst(mapped.count)) }
    // A % precedes the name of the interface.
    let text = address.prefix { $0 != "%" }
    guard let gap = text.firstRange(of: "::") else { return network(of: text.split(separator: ":")) }
    let before = text[..<gap.lowerBound].split(separator: ":")
    let after = text[gap.upperBound...].split(separator: ":")
    let zeros = [Substring](repeating: "0", count: max(0, 8 - before.count - after.count))
    return network(of: before + zeros + after)
  }

  /// Whom a caller's turns, memory and open calls are counted for: its account, or the address of a caller without a
  /// credential.
  package static func holder(_ account: String, at address: String) -> String {
    account.isEmpty ? of(address) : account
  }

  private static let mapped = "::ffff:"

  private static func network(of groups: [Substring]) -> String { groups.prefix(4).joined(separator: ":") + "::/64" }
}
