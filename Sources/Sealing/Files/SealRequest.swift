/// What a signature states apart from its signer, and the field that it goes into.
public struct SealRequest: Sendable {
  /// nil for the first empty field, or a new, invisible one.
  public var field: String?
  public var name = ""
  public var reason = ""
  public var location = ""
  /// If set, the signature certifies the document, which only the first one can. nil for an approval signature.
  public var permission: Permission?
  /// The fields that nobody may sign or fill in afterwards; nil for what the field itself asks, if anything.
  public var lock: FieldLock?
  /// The room for the signature and its time stamp.
  public var reservedBytes = 12 << 10

  /// What a certified document permits afterwards.
  public enum Permission: Int, Sendable {
    case nothing = 1
    /// Further signatures.
    case signing = 2
  }

  public init(field: String? = nil, permission: Permission? = nil) {
    self.field = field
    self.permission = permission
  }
}
