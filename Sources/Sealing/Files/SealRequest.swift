/// What a signature states apart from its signer, and the field that it goes into.
public struct SealRequest: Sendable {
  /// nil for the first empty field, or a new one.
  public var field: String?
  /// Where a new field is seen; nil for an empty field of the form, or a new one that is not seen.
  public var place: SealPlace?
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

/// A part of a page, in points from the lower left corner of what is seen of the page, before the page is turned.
public struct SealPlace: Hashable, Sendable {
  /// The first page is 1.
  public let page: Int
  public let x, y, width, height: Double

  public init(page: Int, x: Double, y: Double, width: Double, height: Double) {
    (self.page, self.x, self.y, self.width, self.height) = (page, x, y, width, height)
  }
}
