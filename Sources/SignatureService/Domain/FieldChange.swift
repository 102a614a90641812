internal import Refusals

/// A caller's action on a field.
package struct FieldChange: Sendable {
  package let action: CellAction
  package let fieldID: String
  /// The version that the caller saw; 0: any.
  package let version: Int64
  package let signer: Signer

  package init(_ action: CellAction, _ fieldID: String, version: Int64, by signer: Signer) {
    self.action = action
    self.fieldID = fieldID
    self.version = version
    self.signer = signer
  }
}

/// The person who acts on a field, for the record.
package struct Signer: Hashable, Sendable {
  package let name: String
  /// The device that the person used; empty if unknown.
  package let device: String

  package init(name: String, device: String) {
    self.name = name
    self.device = device
  }
}

extension SignatureField {
  /// Refuses a change that the device to which the field is lent may not make: it draws, and nothing else.
  func checkBorrower(_ change: FieldChange) throws(Refusal) {
    guard ![.append, .undo, .clear].contains(change.action) else { return }
    throw Refusal(
      .denied, "field_lent", field: "field_id", "a device to which a field is lent draws in it, and no more")
  }
}

/// The error for an action that the field does not offer, with the field as it is.
package struct ActionNotOffered: Error, Equatable, Sendable {
  package let refusal: CellRefusal
  package let field: SignatureField
}

/// The error for a caller whose version of the field is not the present one, because another caller changed the field.
package struct FieldOvertaken: Error, Equatable, Sendable {
  package let expectedVersion: Int64
  package let current: SignatureField
  /// How many points of the caller's stream were stored before.
  package var pointsTaken = 0
}
