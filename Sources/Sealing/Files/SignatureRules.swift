internal import PDF

/// The restrictions that a signature's dictionary puts on later changes.
struct SignatureRules {
  /// What a certifying signature permits: 1 nothing, 2 to fill in and sign, 3 also to comment.
  private(set) var permission: Int?
  private(set) var lock: FieldLock?

  var certifies: Bool { permission != nil }

  init(_ signature: PDFDictionary, _ file: PDFFile) throws(PDFReadError) {
    for reference in try file.resolve(signature["Reference"]).array ?? [] {
      guard let entry = try file.resolve(reference).dictionary else { continue }
      let parameters = try file.resolve(entry["TransformParams"]).dictionary ?? [:]
      switch entry["TransformMethod"]?.name {
      case "DocMDP": permission = try file.resolve(parameters["P"]).integer ?? 2
      case "FieldMDP": lock = try FieldLock(parameters, file)
      default: break
      }
    }
  }
}

/// The fields that a signature locks: FieldMDP.
public enum FieldLock: Hashable, Sendable {
  case all
  case only([String])
  case allBut([String])

  /// - Parameter parameters: of a signature's FieldMDP, or of the /Lock of a field that asks for it.
  init(_ parameters: PDFDictionary, _ file: PDFFile) throws(PDFReadError) {
    let names = try (file.resolve(parameters["Fields"]).array ?? []).compactMap(\.text)
    switch try file.resolve(parameters["Action"]).name {
    case "Include": self = .only(names)
    case "Exclude": self = .allBut(names)
    // An unknown action counts as a lock of all fields: a lock that is read as too wide cannot hide a change.
    default: self = .all
    }
  }

  var rule: PDFObject {
    var parameters: PDFDictionary = ["Type": .name("TransformParams")]
    switch self {
    case .all: parameters["Action"] = .name("All")
    case .only(let names):
      parameters["Action"] = .name("Include")
      parameters["Fields"] = .array(names.map(PDFObject.text))
    case .allBut(let names):
      parameters["Action"] = .name("Exclude")
      parameters["Fields"] = .array(names.map(PDFObject.text))
    }
    parameters["V"] = .name("1.2")
    return .dictionary([
      "Type": .name("SigRef"), "TransformMethod": .name("FieldMDP"), "TransformParams": .dictionary(parameters),
    ])
  }
}

extension SealRequest.Permission {
  var rule: PDFObject {
    .dictionary([
      "Type": .name("SigRef"), "TransformMethod": .name("DocMDP"),
      "TransformParams": .dictionary([
        "Type": .name("TransformParams"), "P": .integer(rawValue), "V": .name("1.2"),
      ]),
    ])
  }
}
