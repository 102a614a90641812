/// The last descriptors of this process, which connections must not take: otherwise files could not be opened any more,
/// and libraries that get no descriptor retry without a pause or end the process.
///
/// The system assigns the lowest free descriptor, so a high number means that nearly all are in use.
package struct DescriptorReserve: Sendable {
  /// How many descriptors this process may have.
  package let limit: Int
  private let first: Int

  /// Raises the limit to the highest that the system allows, and reserves descriptors below that.
  package init() {
    limit = Descriptors.raiseLimit()
    first = limit - min(64, limit / 4)
  }

  /// Why a connection with one of these descriptors is refused.
  package var refusal: String {
    "no new connections: nearly all of this process's \(limit) descriptors are in use"
  }

  /// How many descriptors connections may take, from this one on. If it is the newest, all lower ones are in use.
  package func left(from descriptor: Int32) -> Int { max(0, first - Int(descriptor)) }

  package func includes(_ descriptor: Int32) -> Bool { Int(descriptor) >= first }
}
