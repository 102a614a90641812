internal import Bus
public import ServicePolicy
public import SignatureContract
internal import Storage

/// What a field is made for says whose it is, and where.
extension FieldReference: Touching {
  public var touched: [Touched] { [touching] }

  var touching: Touched {
    var touched = Touched(
      study: studyID.isEmpty ? .none : .one(studyID), site: siteID.isEmpty ? .none : .one(siteID), subject: subjectID)
    touched.isBeginning = true
    return touched
  }
}

extension RevisionStore.Found: Touching {
  var touched: [Touched] { field.reference.touched }
}

extension FieldStore {
  /// Finds the field that a call is about.
  static func named(_ id: String) -> ServiceDatabase.Finding<FieldReference> {
    { snapshot, _ in try reference(of: id, in: snapshot) }
  }
}
