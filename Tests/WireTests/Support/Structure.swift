/// A value field by field, to compare what the codec has read with what was written: `==` of messages compares their
/// bytes, and so would not see a field that is neither read nor written.
func structure(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .dictionary:
    return "[" + mirror.children.map { structure(of: $0.value) }.sorted().joined(separator: ", ") + "]"
  case .struct, .enum, .tuple, .collection, .optional:
    if mirror.children.isEmpty { return String(reflecting: value) }
    let parts = mirror.children.map { "\($0.label ?? ""): \(structure(of: $0.value))" }
    return "\(mirror.subjectType)(" + parts.joined(separator: ", ") + ")"
  default: return String(reflecting: value)
  }
}
