/// What a decoder of JSON accepts.
public struct JSONDecodingOptions: Hashable, Sendable {
  /// Whether fields that the contract does not name are skipped instead of refused.
  public var ignoresUnknownFields: Bool
  public var limits: DecodingLimits

  public init(ignoresUnknownFields: Bool = false, limits: DecodingLimits = .standard) {
    self.ignoresUnknownFields = ignoresUnknownFields
    self.limits = limits
  }

  /// Refuses unknown fields.
  public static let standard = JSONDecodingOptions()
}

/// How JSON is written.
public struct JSONEncodingOptions: Hashable, Sendable {
  /// Over several lines, for people.
  public var isIndented: Bool

  public init(isIndented: Bool = false) {
    self.isIndented = isIndented
  }

  /// On one line without blanks.
  public static let standard = JSONEncodingOptions()
  /// Over several lines, for people.
  public static let indented = JSONEncodingOptions(isIndented: true)
}
