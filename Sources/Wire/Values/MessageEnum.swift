/// An enum of the contract. A number that this version does not know is kept as `unrecognized`.
public protocol MessageEnum: Hashable, Sendable, CaseIterable {
  /// The case of this number, or `unrecognized`.
  init(number: Int32)

  /// The number on the wire.
  var number: Int32 { get }
}
