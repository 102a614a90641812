/// What a call reads or changes, as far as access depends on it: a place, a person, and the act.
public struct AccessTarget: Hashable, Sendable {
  /// The place to which a thing belongs at one level: its study, or its site.
  public enum Extent: Hashable, Sendable {
    /// It belongs to nothing at this level, such as a document to no site: open to a caller who has the role at any of
    /// them.
    case none
    case one(String)
    /// It spans everything at this level, such as the events of all studies: open only to a role for the level above.
    case all
  }

  public var study: Extent
  public var site: Extent
  /// The person whose data are touched; nil for nobody's.
  public var subject: String?
  /// Whether this call makes the calling device one of the person's, so that the device need not be on record for them
  /// before: for example, if nothing is on record of the person in the study yet, or the call presents an invitation.
  public var isBeginning = false
  /// The device, by the name of its key, that holds the thing itself; empty if no device does. nil if the service does
  /// not record it: then every device counts that holds a session of the person in the study.
  public var holder: String?
  /// The member of staff who is on record as assisting in the person's session; empty for nobody.
  public var assistant = ""
  /// The session to which it belongs, by which a browser that came by a link is admitted; nil if to none.
  public var session: String?
  /// The field that it is, by which the device to which that is lent is admitted, as its holder; nil if it is none.
  public var field: String?
  /// The role in which the caller acts, such as a signer's. If it is set, no other role of the caller admits to the
  /// call.
  public var act: Role?

  public init(study: Extent, site: Extent = .none, subject: String? = nil) {
    self.study = study
    self.site = site
    self.subject = subject
  }

  /// A thing of a tenant that belongs to no study.
  public static let tenant = AccessTarget(study: .none)

  /// Everything of a tenant.
  public static let wholeTenant = AccessTarget(study: .all, site: .all)

  /// A thing of a study that belongs to no site.
  public static func study(_ id: String) -> AccessTarget { AccessTarget(study: .one(id)) }

  /// Everything of a study or, if a site is named, of that site.
  public static func everything(in study: String, site: String = "") -> AccessTarget {
    AccessTarget(study: .one(study), site: site.isEmpty ? .all : .one(site))
  }

  /// Data of a person in a study.
  ///
  /// - Parameter site: the site where the person takes part; empty for none.
  public static func person(_ subject: String, in study: String, site: String = "") -> AccessTarget {
    AccessTarget(study: .one(study), site: site.isEmpty ? .none : .one(site), subject: subject)
  }
}

/// The things that a call is about, which its handler names before it gets any data. The caller must be admitted to
/// each `AccessTarget` of them.
public protocol AccessTargeted: Sendable {
  var accessTargets: [AccessTarget] { get }
}

extension AccessTarget: AccessTargeted {
  public var accessTargets: [AccessTarget] { [self] }
}

extension Array: AccessTargeted where Element: AccessTargeted {
  // A key path of a generic type is made anew at each use.
  public var accessTargets: [AccessTarget] { flatMap { $0.accessTargets } }
}

/// A value that was read while finding what a call touches, passed on to the handler's body.
public struct Found<Value: Sendable>: AccessTargeted {
  public let value: Value
  public let accessTargets: [AccessTarget]

  public init(_ value: Value, targets things: some AccessTargeted) {
    self.value = value
    accessTargets = things.accessTargets
  }
}
