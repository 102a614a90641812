/// What a client's address is counted as, where callers are bounded by where they come from.
package enum CountedAddress {
  /// One of IPv4 is counted as it is, also where it is written as one of IPv6. One of IPv6 is counted by its network,
  /// the first 64 bits: a host may use any address of its network, and so would pass every bound.
  package static func of(_ address: String) -> String {
    guard address.contains(":") else { return address }
    if address.hasPrefix(mapped), address.contains(".") { return String(address.dropFirst(mapped.count)) }
    // Behind % stands the interface that it came by.
    let text = address.prefix { $0 != "%" }
    guard let gap = text.firstRange(of: "::") else { return network(of: text.split(separator: ":")) }
    let before = text[..<gap.lowerBound].split(separator: ":")
    let after = text[gap.upperBound...].split(separator: ":")
    let zeros = [Substring](repeating: "0", count: max(0, 8 - before.count - after.count))
    return network(of: before + zeros + after)
  }

  /// The name that a caller's turns, memory and open calls are counted by: the account, or the address of those who
  /// show no key.
  package static func holder(_ account: String, at address: String) -> String {
    account.isEmpty ? of(address) : account
  }

  private static let mapped = "::ffff:"

  private static func network(of groups: [Substring]) -> String { groups.prefix(4).joined(separator: ":") + "::/64" }
}
