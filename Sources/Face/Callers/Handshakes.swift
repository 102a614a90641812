package import Base

/// How often each address may open a connection with TLS. The doors are on the bus's thread, where a handshake takes
/// about a millisecond, and whoever has no credential may begin one.
package enum Handshakes {
  /// So many that a proxy, or a clinic whose devices share one address, does not reach it.
  package static let usual = 200

  /// Five seconds' worth may come at once.
  package static func rate(aSecond count: Int = usual) -> TokenRate {
    TokenRate(perSecond: Double(count), depth: Double(5 * count))
  }

  package static func buckets(_ rate: TokenRate) -> TokenBuckets { TokenBuckets(rate, mostHolders: 10_000) }

  /// Why a new connection is refused whose address has used up its tokens.
  package static func objection(_ rate: TokenRate) -> String {
    "too many new connections: more than \(Int(rate.perSecond)) a second"
  }
}
