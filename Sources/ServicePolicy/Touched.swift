/// What a call reads or changes, as far as access depends on it: a place, a person, and the act.
public struct Touched: Hashable, Sendable {
  /// Where a thing belongs at one level of places.
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
  /// Whether the person begins here: nothing is on record of them yet, or an invitation for them was shown. By this
  /// call a device becomes the person's device, and staff the one who assists.
  public var isBeginning = false
  /// The member of staff who assists in the person's session, as is on record; empty: nobody.
  public var assistant = ""
  /// The role in which the caller acts, such as a signer's: no other role of the caller admits to the call.
  public var act: Role?

  public init(study: Extent, site: Extent = .none, subject: String? = nil) {
    self.study = study
    self.site = site
    self.subject = subject
  }

  /// A thing of a tenant that belongs to no study.
  public static let tenant = Touched(study: .none)

  /// Everything of a tenant.
  public static let wholeTenant = Touched(study: .all, site: .all)

  /// A thing of a study that belongs to no site.
  public static func study(_ id: String) -> Touched { Touched(study: .one(id)) }

  /// Everything of a study or, if a site is named, of that site.
  public static func everything(in study: String, site: String = "") -> Touched {
    Touched(study: .one(study), site: site.isEmpty ? .all : .one(site))
  }

  /// Data of a person in a study.
  ///
  /// - Parameter site: the site at which the person takes part; empty: at none.
  public static func person(_ subject: String, in study: String, site: String = "") -> Touched {
    Touched(study: .one(study), site: site.isEmpty ? .none : .one(site), subject: subject)
  }
}

/// What a handler names before it gets anything: the rows that the call is about. All that it touches must be open to
/// the caller.
public protocol Touching: Sendable {
  var touched: [Touched] { get }
}

extension Touched: Touching {
  public var touched: [Touched] { [self] }
}

extension Array: Touching where Element: Touching {
  public var touched: [Touched] { flatMap(\.touched) }
}

/// Something that was found on the way to what a call touches, for the rest of the handler.
public struct Found<Value: Sendable>: Touching {
  public let value: Value
  public let touched: [Touched]

  public init(_ value: Value, touching things: some Touching) {
    self.value = value
    touched = things.touched
  }
}
