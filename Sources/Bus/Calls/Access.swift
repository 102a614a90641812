extension MethodDescriptor.Access: Comparable {
  /// Greater is more trusted: admin access includes all that devices may call.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  /// The version of this protocol that both sides state.
  public var word: String {
    switch self {
    case .public: "public"
    case .device: "device"
    case .user: "user"
    case .admin: "admin"
    case .service: "service"
    }
  }

  public init?(word: some StringProtocol) {
    guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = level
  }

  package var rank: UInt8 {
    switch self {
    case .public: 1
    case .device: 2
    case .user: 3
    case .admin: 4
    case .service: 5
    }
  }

  package init?(rank: some BinaryInteger) {
    switch Int(clamping: rank) {
    case 1: self = .public
    case 2: self = .device
    case 3: self = .user
    case 4: self = .admin
    case 5: self = .service
    default: return nil
    }
  }
}
