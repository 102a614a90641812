/// What a signature says besides who made it, and where it goes.
public struct SealRequest: Sendable {
  /// nil: the first empty field, or a new, invisible one.
  public var field: String?
  public var name = ""
  public var reason = ""
  public var location = ""
  /// Certifies the document: only the first signature can. nil: approves it.
  public var permission: Permission?
  /// Fields that nobody may sign or fill in afterwards; nil: as the field itself asks, if it does.
  public var lock: FieldLock?
  /// For the signature and its time stamp.
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
