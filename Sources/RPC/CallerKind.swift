/// The kind of credentials that a caller has shown. No kind includes another: each method states which kinds it admits.
public enum CallerKind: Hashable, Sendable, CaseIterable {
  /// No credentials.
  case stranger
  /// The key of an app or a device of a tenant, with nobody signed in.
  case device
  /// A person of a tenant, with the roles that were granted to them.
  case person
  /// An operator of the installation, above all tenants.
  case `operator`
  /// Another service of the installation.
  case service

  /// The kind's word in lists of keys and in messages to people.
  public var word: String {
    switch self {
    case .stranger: "stranger"
    case .device: "device"
    case .person: "person"
    case .operator: "operator"
    case .service: "service"
    }
  }

  /// The word with its article, `an operator` for example, for messages.
  package var phrase: String { (self == .operator ? "an " : "a ") + word }

  public init?(word: some StringProtocol) {
    guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = kind
  }

  /// The kind's number in `assent.bus.v1.CallerKind`.
  package var number: UInt8 {
    switch self {
    case .stranger: 1
    case .device: 2
    case .person: 3
    case .operator: 4
    case .service: 5
    }
  }

  package init?(number: some BinaryInteger) {
    guard let kind = Self.allCases.first(where: { Int($0.number) == Int(clamping: number) }) else { return nil }
    self = kind
  }
}
