/// The last descriptors of this process. Connections must not take them: files could not be opened any more, and
/// libraries retry without a pause, or end the process, when they get none.
///
/// The system assigns the lowest free descriptor, so a high number means that nearly all are in use.
package struct DescriptorReserve: Sendable {
  /// How many descriptors this process may have.
  package let limit: Int
  private let first: Int

  /// The reserve under the highest limit that the system allows.
  package init() {
    limit = Descriptors.raiseLimit()
    first = limit - min(64, limit / 4)
  }

  /// What is said of a connection that would take one of them.
  package var refusal: String {
    "no new connections: nearly all of this process's \(limit) descriptors are in use"
  }

  package func includes(_ descriptor: Int32) -> Bool { Int(descriptor) >= first }
}
