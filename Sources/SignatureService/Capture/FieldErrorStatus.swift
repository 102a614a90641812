package import RPC
internal import ServicePolicy
internal import SignatureContract

// The statuses of calls for which a field is not in the right state. They have the reason, and the field's present
// view.

extension ActionNotOffered: StatusConvertible {
  package var status: Status {
    let detail = FieldRefusal(action: FieldAction(number: Int32(refusal.action.rawValue)), current: field.view)
    return Refusal(
      .precondition, "not_offered", refusal.description, details: [detail]
    ).status
  }
}

extension FieldOvertaken: StatusConvertible {
  package var status: Status {
    let taken = pointsTaken > 0 ? "; \(pointsTaken) points of this stream had been taken" : ""
    let story =
      "field '\(current.id)' is at version \(current.version) and no longer at \(expectedVersion): look again\(taken)"
    let detail = FieldConflict(
      expectedVersion: expectedVersion, current: current.view, pointsTaken: Int32(clamping: pointsTaken))
    return Refusal(
      .aborted, "stale_version", field: "expected_version", story, details: [detail]
    ).status
  }
}
