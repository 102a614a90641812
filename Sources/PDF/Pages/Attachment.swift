internal import Base

/// A file that is attached to a document, such as evidence or a signature's strokes as they were captured.
public struct Attachment: Sendable {
  public let name: String
  public let mediaType: String
  public let description: String
  public let bytes: [UInt8]
  public let relationship: Relationship

  /// The file's relation to the document.
  public enum Relationship: String, Sendable {
    case source = "Source"
    case data = "Data"
    case alternative = "Alternative"
    case supplement = "Supplement"
  }

  public init(
    name: String, mediaType: String, description: String, bytes: [UInt8], relationship: Relationship = .supplement
  ) {
    (self.name, self.mediaType, self.description) = (name, mediaType, description)
    (self.bytes, self.relationship) = (bytes, relationship)
  }

  func write(into writer: inout FileWriter, created: Instant) -> Int {
    let file = writer.add(
      stream: bytes,
      [
        "Type": .name("EmbeddedFile"), "Subtype": .name(mediaType),
        "Params": .dictionary([
          "Size": .integer(bytes.count), "ModDate": .string(Array(PDFDate.text(created).utf8)),
        ]),
      ])
    return writer.add(
      .dictionary([
        "Type": .name("Filespec"), "F": .text(name), "UF": .text(name), "Desc": .text(description),
        "AFRelationship": .name(relationship.rawValue),
        "EF": .dictionary(["F": .to(file), "UF": .to(file)]),
      ]))
  }
}
