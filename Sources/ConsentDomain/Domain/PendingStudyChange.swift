package import ConsentContract
internal import Wire

/// The fields of a study that nobody changes alone, where it asks for a second person, so that they prove less or keep
/// data for a shorter time.
private enum GuardedField: String, CaseIterable {
  case secondPerson = "second_person"
  case verifiers
  case authenticationMaxAge = "authentication_max_age"
  case deviceTimeNeedsAttention = "device_time_needs_attention"
  case retentionDays = "retention_days"

  func isWeakened(from known: ConsentStudy, to wanted: ConsentStudy) -> Bool {
    switch self {
    case .secondPerson: known.secondPerson && !wanted.secondPerson
    // A verifier that is only removed asserts nothing more: one person can stop one whose key was stolen.
    case .verifiers: !wanted.verifiers.allSatisfy { known.verifiers.contains($0) }
    case .authenticationMaxAge: AuthenticationRules.maximumAge(in: wanted) > AuthenticationRules.maximumAge(in: known)
    case .deviceTimeNeedsAttention: known.deviceTimeNeedsAttention && !wanted.deviceTimeNeedsAttention
    // 0 is for ever.
    case .retentionDays:
      wanted.retentionDays > 0 && (known.retentionDays == 0 || wanted.retentionDays < known.retentionDays)
    }
  }

  func keep(_ known: ConsentStudy, in study: inout ConsentStudy) {
    switch self {
    case .secondPerson: study.secondPerson = known.secondPerson
    case .verifiers: study.verifiers = known.verifiers
    case .authenticationMaxAge: study.authenticationMaxAge = known.authenticationMaxAge
    case .deviceTimeNeedsAttention: study.deviceTimeNeedsAttention = known.deviceTimeNeedsAttention
    case .retentionDays: study.retentionDays = known.retentionDays
    }
  }
}

extension PendingStudyChange {
  /// What one person may not change alone; nil if everything may take effect at once. Nobody has asked for it yet.
  package init?(from known: ConsentStudy, to wanted: ConsentStudy) {
    let weakened = GuardedField.allCases.filter { $0.isWeakened(from: known, to: wanted) }
    if weakened.isEmpty { return nil }
    self.init(fields: weakened.map(\.rawValue))
    if weakened.contains(.verifiers) { verifiers = wanted.verifiers }
    if weakened.contains(.authenticationMaxAge) { authenticationMaxAge = wanted.authenticationMaxAge }
    if weakened.contains(.retentionDays) { retentionDays = wanted.retentionDays }
  }

  /// Whether both are the same change, whoever asked for them.
  package func isSame(as other: PendingStudyChange) -> Bool {
    var other = other
    (other.askedBy, other.askedAt) = (askedBy, askedAt)
    return self == other
  }

  /// Takes the change out of a study that has it: its fields stay as they are known.
  package func withhold(from study: inout ConsentStudy, known: ConsentStudy) {
    for field in fields.compactMap(GuardedField.init(rawValue:)) { field.keep(known, in: &study) }
  }
}
