internal import Storage

/// Looks up how people, devices and accounts are related, as a service has it on record. Used only where the caller's
/// role alone does not decide whether a call is admitted.
public protocol Relations {
  /// The earlier accounts of a person that were merged into this one.
  func accounts(mergedInto person: String) throws -> [String]
  /// The people on record as the person's guardians in a study.
  func guardians(of subject: String, in study: String) throws -> Set<String>
  /// The devices, by the names of their keys, that hold a session of the person in a study.
  func devices(of subject: String, in study: String) throws -> Set<String>
  /// The studies and sites where a person takes part.
  func places(of participant: String) throws -> Set<StudyPlace>
  /// The studies and sites where the people take part whose guardian this person is.
  func places(ofWardsOf guardian: String) throws -> Set<StudyPlace>
}

/// Defaults for relations that a service does not record.
extension Relations {
  public func accounts(mergedInto person: String) throws -> [String] { [] }
  public func guardians(of subject: String, in study: String) throws -> Set<String> { [] }
  public func devices(of subject: String, in study: String) throws -> Set<String> { [] }
  public func places(of participant: String) throws -> Set<StudyPlace> { [] }
  public func places(ofWardsOf guardian: String) throws -> Set<StudyPlace> { [] }
}

/// A study, and one of its sites; an empty site stands for none.
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
