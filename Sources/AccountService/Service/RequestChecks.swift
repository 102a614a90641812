internal import AccountContract
internal import Base
internal import Bus
internal import ServicePolicy
internal import Storage
internal import Wire

/// Names that callers choose.
enum Names {
  static func check(_ name: String, _ field: String) throws(Refusal) {
    let isName =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
      }
    guard isName else {
      let message = "\(field) is '\(name.prefix(80))'; it must be 1 to 64 letters a-z, digits, '_' or '-'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
  }
}

extension Caller {
  /// The caller's name, if the caller is a person who has signed in.
  func person() throws(Refusal) -> String {
    guard isPerson else { throw Refusal(.denied, "no_person", "this is for a person who has signed in") }
    return actor
  }
}

/// What calls of these services touch.
enum AccountData {
  /// The caller's own account or, for those who may reach it, everything of the tenant: accounts belong to no study.
  static let own: ServiceDatabase.Finding<Touched> = { _, gate in account(of: gate.callerName) }

  static func account(of person: String) -> Touched { Touched(study: .all, site: .all, subject: person) }
}

extension AccountParts {
  /// Counts an attempt at these places before it is checked; refused during the delay of one of them.
  func begin(_ places: [AttemptPlace], _ context: CallContext) async throws {
    let wait = try await data.change(context, of: AccountData.own) { transaction, _, _ in
      try AttemptStore.begin(places, transaction)
    }
    guard wait > .zero else { return }
    let seconds = max(1, (wait.wholeMilliseconds + 999) / 1000)
    throw Refusal(
      .exhausted, "too_many_attempts", "too many wrong ones were given; the next may be given in \(seconds) seconds",
      details: [.init(SignInDelay(delay: ProtobufDuration(.seconds(seconds))))])
  }
}
