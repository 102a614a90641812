package import Ink
package import SignatureContract

extension Inscription {
  package init(_ message: InkInscription?) {
    self.init(name: message?.name ?? "", date: message?.date ?? "", reason: message?.reason ?? "")
  }
}

extension InkInscription {
  /// nil for an inscription without words.
  package init?(_ inscription: Inscription) {
    guard inscription != .none else { return nil }
    self.init(name: inscription.name, date: inscription.date, reason: inscription.reason)
  }
}

extension TypedName {
  /// The bytes that the commitment of a saved name is to: the name and, if there are words below it, their lines.
  package var committed: [UInt8] {
    let words = Inscription(inscription)
    return Array(([text] + (words == .none ? [] : words.parts)).joined(separator: "\n").utf8)
  }
}
