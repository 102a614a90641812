internal import Base
internal import ServicePolicy
internal import Storage

/// Cursors of changes: opaque to clients, and valid only for the person to whom they were given.
struct SyncCursor: Sendable {
  private let secret: [UInt8]

  /// Longer than any cursor.
  static let longest = 96

  /// Where a person's download stands.
  struct Place: Sendable {
    var sequence: Int64 = 0
    /// Fields that changed after this number, up to `sequence`, have not been sent; nil: all have.
    var owedAfter: Int64?

    fileprivate var numbers: [Int64] { [sequence] + (owedAfter.map { [$0] } ?? []) }
  }

  init(secret: [UInt8]) {
    self.secret = secret
  }

  func text(_ place: Place, person: String, tenant: Tenant) -> String {
    let numbers = place.numbers
    let parts = ["c\(numbers.count)"] + numbers.map(String.init) + [seal(numbers, person, tenant)]
    return parts.joined(separator: ".")
  }

  /// The beginning for an empty cursor.
  func place(_ text: String, person: String, tenant: Tenant, field: String = "cursor") throws(Refusal) -> Place {
    if text.isEmpty { return Place() }
    let parts = text.utf8.count <= Self.longest ? text.split(separator: ".", omittingEmptySubsequences: false) : []
    let numbers = parts.dropFirst().dropLast().compactMap { Int64($0) }
    guard parts.count == numbers.count + 2, parts[0] == "c\(numbers.count)",
      (1...2).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }),
      isSame(Array(parts[parts.count - 1].utf8), Array(seal(numbers, person, tenant).utf8))
    else {
      throw Refusal(.invalid, "bad_cursor", field: field, "\(field) is no cursor that was given to this person")
    }
    return Place(sequence: numbers[0], owedAfter: numbers.count == 2 ? numbers[1] : nil)
  }

  private func seal(_ numbers: [Int64], _ person: String, _ tenant: Tenant) -> String {
    let places = numbers.map { "\($0)\n" }.joined()
    let bytes = Array("assent-cursor-\(numbers.count)\n\(tenant.id)\n\(person)\n\(places)".utf8) + secret
    return Base64URL.encode(Array(Digest(of: bytes).bytes.prefix(16)))
  }
}
