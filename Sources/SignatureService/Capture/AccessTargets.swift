internal import RPC
package import ServicePolicy
package import SignatureContract
internal import Storage

/// The part of a field by which callers' rights are checked: its reference says whose it is and in which study and
/// site, and among devices only the one that created it may use it.
package struct HeldField: AccessTargeted {
  package let reference: FieldReference
  /// The device that created the field; empty: a person or a service did, and no device may use it.
  let holder: String
  /// The field itself, for the device to which it is lent and which counts as its holder; nil for everybody else.
  private var field: String?

  init(reference: FieldReference, holder: String) {
    (self.reference, self.holder) = (reference, holder)
  }

  init(_ field: SignatureField) {
    self.init(reference: field.reference, holder: field.holder)
  }

  /// The field as the device faces it to which it is lent.
  init(_ id: String, lentTo device: String, _ reference: FieldReference) {
    self.init(reference: reference, holder: device)
    field = id
  }

  package var accessTargets: [AccessTarget] { [target] }

  var target: AccessTarget {
    var touched = reference.place
    (touched.holder, touched.field) = (holder, field)
    return touched
  }
}

/// A field that is to be created. Any device may create one for a person.
struct NewField: AccessTargeted {
  let reference: FieldReference

  var accessTargets: [AccessTarget] {
    var touched = reference.place
    touched.isBeginning = true
    return [touched]
  }
}

extension FieldReference {
  fileprivate var place: AccessTarget {
    var touched = AccessTarget(
      study: studyID.isEmpty ? .none : .one(studyID), site: siteID.isEmpty ? .none : .one(siteID), subject: subjectID)
    touched.session = sessionID.isEmpty ? nil : sessionID
    return touched
  }
}

extension RevisionStore.Found: AccessTargeted {
  var accessTargets: [AccessTarget] { HeldField(field).accessTargets }
}

extension FieldStore {
  /// Finds the field with this identifier. A device to which it was lent, and is not any more, is told so.
  static func named(_ id: String) -> ServiceDatabase.Lookup<HeldField> {
    { snapshot, gate in
      guard gate.field == id else { return try held(id, in: snapshot) }
      let (reference, loan) = try lent(id, in: snapshot)
      if let refusal = loan.refusal(of: gate.callerName) { throw refusal }
      return HeldField(id, lentTo: gate.callerName, reference)
    }
  }
}
