internal import RPC
package import ServicePolicy
package import SignatureContract
internal import Storage

/// A field as far as it decides who may: what it is made for says whose it is, and where; and the device that made it
/// is the one that may use it.
package struct HeldField: Touching {
  package let reference: FieldReference
  /// Empty: a person or a service made it, and no device may use it.
  let holder: String

  init(reference: FieldReference, holder: String) {
    (self.reference, self.holder) = (reference, holder)
  }

  init(_ field: SignatureField) {
    self.init(reference: field.reference, holder: field.holder)
  }

  package var touched: [Touched] { [touching] }

  var touching: Touched {
    var touched = reference.place
    touched.holder = holder
    return touched
  }
}

/// A field that is to be made, by whichever device comes to the person.
struct NewField: Touching {
  let reference: FieldReference

  var touched: [Touched] {
    var touched = reference.place
    touched.isBeginning = true
    return [touched]
  }
}

extension FieldReference {
  fileprivate var place: Touched {
    Touched(
      study: studyID.isEmpty ? .none : .one(studyID), site: siteID.isEmpty ? .none : .one(siteID), subject: subjectID)
  }
}

extension RevisionStore.Found: Touching {
  var touched: [Touched] { HeldField(field).touched }
}

extension FieldStore {
  /// Finds the field that a call is about.
  static func named(_ id: String) -> ServiceDatabase.Finding<HeldField> {
    { snapshot, _ in try held(id, in: snapshot) }
  }
}
