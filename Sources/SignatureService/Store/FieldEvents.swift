internal import SignatureContract
internal import Storage
internal import Wire

extension EventType<FieldEvent> {
  static let fieldCreated = field("created")
  static let fieldWoken = field("woken")
  static let fieldCleared = field("cleared")
  static let fieldSaved = field("saved")
  static let fieldCancelled = field("cancelled")
  static let fieldReEntered = field("re-entered")
  static let fieldResized = field("resized")
  static let fieldLent = field("lent")
  static let fieldReturned = field("returned")
  static let fieldCompleted = field("completed")
  static let fieldErased = field("erased")

  private static func field(_ name: String) -> EventType {
    EventType(FieldEvent.typePrefix + name, encode: { try $0.encoded() }, decode: { try FieldEvent(decoding: $0) })
  }
}

extension FieldEvent {
  /// The prefix of the names of all these events.
  static let typePrefix = "field."

  init(_ field: SignatureField, _ signer: Signer, _ signature: SavedSignature? = nil) {
    self.init(
      fieldID: field.id, version: field.version, state: FieldState(number: Int32(field.cell.state.rawValue)),
      signatureID: signature?.signatureID ?? "", hash: signature?.hash ?? "", actor: signer.name,
      device: signer.device, reference: field.reference, kind: signature?.kind ?? .unspecified,
      reusedFrom: signature?.reusedFrom, lentTo: field.loan.device, drawnOn: signature?.drawnOn ?? "")
  }
}
