public import RPC

/// A caller's role. People's roles are granted for places, as part of the caller's verified identity.
public typealias Role = MethodPermission.Role

extension Role {
  /// Whether a word is a role that people hold by a grant for a place.
  public static func isGranted(_ word: some StringProtocol) -> Bool { granted.contains { $0.rawValue == word } }

  /// Whether a word is the role that binds a device to places.
  public static func isOfDevice(_ word: some StringProtocol) -> Bool { device.rawValue == word }
}

/// A role at a place, as an identity carries it: `role@study`, `role@study/site` or `role@*`.
struct Grant: Hashable, Sendable {
  let role: String
  /// `*`: the whole tenant.
  let study: String
  /// Empty: the whole study.
  let site: String

  /// nil for a text that grants nothing: a role without a place.
  init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let place = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !place[0].isEmpty else { return nil }
    role = String(parts[0])
    study = place[0]
    site = place.count > 1 ? place[1] : ""
  }

  /// The role word of the grant by which an identity is that of a browser in one session: `session@ID`.
  static let session = "session"
  /// The role word of the grant by which an identity is that of a device to which one field is lent: `field@ID`.
  static let field = "field"

  /// Whether the grant's place covers what is touched, at the level that a permission asks for.
  func counts(at place: MethodPermission.Place, for touched: AccessTarget) -> Bool {
    if study == "*" { return true }
    switch place {
    case .tenant: return false
    case .study: return site.isEmpty && touched.study.includes(study)
    case .site: return touched.study.includes(study) && (site.isEmpty || touched.site.includes(site))
    }
  }
}

extension AccessTarget.Extent {
  /// Whether a grant for the place of this name covers the thing.
  func includes(_ name: String) -> Bool {
    switch self {
    case .none: true
    case .one(let own): own == name
    case .all: false
    }
  }
}
