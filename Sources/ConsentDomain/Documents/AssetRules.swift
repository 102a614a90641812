internal import Base
package import ConsentContract
package import Refusals
internal import Wire

/// Which images, animations and PDF files are accepted.
package enum AssetRules {
  package static let longestImage = 4 << 20
  package static let longestAnimation = 20 << 20
  /// How many assets one file with a document may have, and how many bytes these may have together.
  package static let mostInFile = 200
  package static let longestInFile = 28 << 20

  package static func named(_ kind: AssetKind, _ data: [UInt8]) -> ConsentAsset {
    ConsentAsset(hash: Digest(of: data).hex, kind: kind, data: data)
  }

  /// The asset in the form in which it is stored: of the kind that it claims to be, within bounds, and a drawing
  /// cleaned.
  package static func accepted(
    kind: AssetKind, data: [UInt8], _ field: String, _ budget: inout MarkupBudget
  ) throws(Refusal) -> (
    asset: ConsentAsset, removed: [SanitizerRemoval]
  ) {
    let bound = kind == .mp4 ? longestAnimation : kind == .pdf ? FileBounds.longest : longestImage
    guard (1...bound).contains(data.count) else {
      let message = "\(field) is \(data.count) bytes long; it must be 1 to \(bound)"
      throw Refusal(.invalid, "asset_size_out_of_bounds", field: field, message)
    }
    guard looksLike(kind, data) else {
      throw Refusal(.invalid, "asset_kind_differs", field: field, "\(field) is no \(kind) by its first bytes")
    }
    guard kind == .svg else {
      if kind == .pdf { try Self.readWhole(field, &budget) }
      if let fault = AssetReading.fault(in: data, of: kind) {
        throw Refusal(.invalid, "broken_asset", field: field, "\(field) \(fault)")
      }
      return (named(kind, data), [])
    }
    let result: Sanitizer.Result
    do throws(MarkupError) {
      result = try Sanitizer(.drawing).sanitize(String(decoding: data, as: UTF8.self), &budget)
    } catch {
      throw Refusal(error, in: field)
    }
    guard let drawing = DrawingRoot.only(in: result.markup) else {
      throw Refusal(.invalid, "broken_asset", field: field, "\(field) has no <svg> element that can be kept")
    }
    var removed = result.removed.map { SanitizerRemoval(field: field, what: $0.what, reason: $0.reason) }
    if drawing.isLess {
      let reason = "a drawing is one <svg> of characters that XML has"
      removed.append(SanitizerRemoval(field: field, what: "markup around it", reason: reason))
    }
    return (named(.svg, Array(drawing.xml.utf8)), removed)
  }

  /// Refuses a light budget: a file may have many objects, so reading it is not light work.
  private static func readWhole(_ field: String, _ budget: inout MarkupBudget) throws(Refusal) {
    do throws(MarkupError) { try budget.needAll() } catch { throw Refusal(error, in: field) }
  }

  package static func checkTotal(_ assets: [ConsentAsset], _ field: String) throws(Refusal) {
    guard assets.count <= mostInFile else {
      let message = "\(field) has \(assets.count) entries; it must have at most \(mostInFile)"
      throw Refusal(.invalid, "too_many", field: field, message)
    }
    let total = assets.reduce(0) { $0 + $1.data.count }
    guard total <= longestInFile else {
      let message = "\(field) has \(total) bytes altogether; it must have at most \(longestInFile)"
      throw Refusal(.invalid, "asset_size_out_of_bounds", field: field, message)
    }
  }

  private static func looksLike(_ kind: AssetKind, _ data: [UInt8]) -> Bool {
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }
    switch kind {
    case .png: return has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .jpeg: return has([0xFF, 0xD8, 0xFF])
    case .webp: return has(Array("RIFF".utf8)) && has(Array("WEBP".utf8), at: 8)
    case .mp4: return has(Array("ftyp".utf8), at: 4)
    case .pdf: return has(Array("%PDF-".utf8))
    case .svg: return String(decoding: data.prefix(4096), as: UTF8.self).contains("<svg")
    case .unspecified, .unrecognized: return false
    }
  }
}
