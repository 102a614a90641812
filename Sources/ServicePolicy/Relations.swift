internal import Storage

/// The relations of a caller to a person that a service has on record. It is read only where the caller's role alone
/// does not decide.
public protocol Relations {
  /// The accounts of the same person that were merged into the person's.
  func accounts(mergedInto person: String) throws -> [String]
  /// The people on record as the person's guardians in a study.
  func guardians(of subject: String, in study: String) throws -> Set<String>
  /// The keys of the devices at which a session of the person is held in a study.
  func devices(of subject: String, in study: String) throws -> Set<String>
  /// Where somebody takes part.
  func places(of participant: String) throws -> Set<StudyPlace>
  /// Where somebody's wards take part.
  func places(ofWardsOf guardian: String) throws -> Set<StudyPlace>
}

/// What a service has nothing of on record.
extension Relations {
  public func accounts(mergedInto person: String) throws -> [String] { [] }
  public func guardians(of subject: String, in study: String) throws -> Set<String> { [] }
  public func devices(of subject: String, in study: String) throws -> Set<String> { [] }
  public func places(of participant: String) throws -> Set<StudyPlace> { [] }
  public func places(ofWardsOf guardian: String) throws -> Set<StudyPlace> { [] }
}

/// A study, and a site of it; empty for none.
public struct StudyPlace: Hashable, Sendable {
  public let study: String
  public let site: String

  public init(study: String, site: String) {
    self.study = study
    self.site = site
  }
}

/// For services that have nothing on record about people.
public struct NoRelations: Relations {
  public init() {}
}
