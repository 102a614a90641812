internal import Base
package import ServicePolicy

/// A role at a place, as administrators give it to people and keys: `role@study`, `role@study/site` or `role@*`.
package struct RoleText: Hashable, Sendable {
  package let text: String
  /// The study; "*" for the whole tenant.
  package let study: String

  /// Whom a role is given to.
  package enum Holder: Sendable {
    /// A member of staff, or a program that acts as one. The roles of participants and guardians are granted to nobody:
    /// they follow from what is on record about a subject.
    case person
    /// A device. Its one role says where it may be used.
    case device

    fileprivate func has(_ role: Substring) -> Bool {
      switch self {
      case .person: Role.isGranted(role)
      case .device: Role.isOfDevice(role)
      }
    }

    fileprivate var words: String {
      switch self {
      case .person: "a role that is granted"
      case .device: "'device'"
      }
    }
  }

  /// - Parameter field: the request's field that has the role.
  package init(_ text: String, for holder: Holder = .person, field: String = "role") throws(Refusal) {
    let parts = text.utf8.count <= Self.longest ? text.split(separator: "@", omittingEmptySubsequences: false) : []
    let places = parts.count == 2 ? parts[1].split(separator: "/", omittingEmptySubsequences: false) : []
    let isPlace =
      parts.count == 2 && parts[1] == "*" || (1...2).contains(places.count) && places.allSatisfy(Self.isName)
    guard isPlace, holder.has(parts[0]) else {
      let message =
        "\(field) is '\(text.shortened)'; it must be \(holder.words), '@', and a study, study/site or '*'"
      throw Refusal(.invalid, "bad_role", field: field, message)
    }
    self.text = text
    study = String(places[0])
  }

  /// Roles that were granted, and those of `others` that are not among them.
  package static func union(_ granted: [String], _ others: [String]) -> [String] {
    granted + others.filter { !granted.contains($0) }
  }

  /// The most roles, and the most bytes of them, that a person may be granted here, and that an outside identity may
  /// give as well. Both together fit into one access token, of which the gateway's doors accept 8 KiB. Otherwise,
  /// whoever may grant a role could lock a person out by making the token too large.
  private static let most = 64
  private static let mostBytes = 2048

  /// Refuses roles that exceed these limits.
  package static func checkRoom(for roles: [String], field: String = "role") throws(Refusal) {
    let bytes = bytes(of: roles)
    guard roles.count > most || bytes > mostBytes else { return }
    let message =
      "\(field): the person would have \(roles.count) roles of \(bytes) bytes together; at most \(most) roles of "
      + "\(mostBytes) bytes fit into a token"
    throw Refusal(.precondition, "too_many_roles", field: field, message)
  }

  /// Refuses roles of which those at a study and its sites take more than a quarter of the room, so that whoever
  /// administers only that study leaves room for others.
  package static func checkShare(of study: String, in roles: [String]) throws(Refusal) {
    let own = roles.filter { (try? RoleText($0))?.study == study }
    let bytes = bytes(of: own)
    guard own.count > most / 4 || bytes > mostBytes / 4 else { return }
    let message =
      "role: the person would have \(own.count) roles of \(bytes) bytes together at study '\(study)'; its "
      + "administrators grant at most \(most / 4) roles of \(mostBytes / 4) bytes, those of the tenant may grant more"
    throw Refusal(.precondition, "too_many_roles", field: "role", message)
  }

  private static func bytes(of roles: [String]) -> Int { roles.reduce(0) { $0 + $1.utf8.count } }

  /// Longer than any role at a site.
  private static let longest = 200

  private static func isName(_ name: Substring) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
      }
  }
}
