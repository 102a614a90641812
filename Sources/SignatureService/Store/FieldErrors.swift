internal import Bus
internal import SignatureContract
internal import Wire

extension FieldStore {
  static func unknown(_ id: String) -> Status { Status(.notFound, "there is no field '\(id)'") }

  static func unknownSignature(_ name: String) -> Status {
    Status(.notFound, "there is no saved signature '\(name)'")
  }

  static func badSubject(_ path: String) -> Status {
    FieldChecks.refusal(
      path, "names no subject", "subjects are named by 1 to 128 letters, digits, dots, hyphens, colons and underscores")
  }

  static func refused(_ refusal: CellRefusal, _ field: SignatureField) -> Status {
    let detail = FieldRefusal(action: FieldAction(number: Int32(refusal.action.rawValue)), current: field.view)
    return Status(.failedPrecondition, refusal.description, details: [Status.Detail(detail)])
  }

  static func conflict(expected: Int64, _ current: FieldView, pointsTaken: Int = 0) -> Status {
    let taken = pointsTaken > 0 ? "; \(pointsTaken) points of this stream had been taken" : ""
    return Status(
      .aborted,
      "field '\(current.fieldID)' is at version \(current.version) and no longer at \(expected): look again\(taken)",
      details: [
        Status.Detail(
          FieldConflict(expectedVersion: expected, current: current, pointsTaken: Int32(clamping: pointsTaken)))
      ])
  }
}
