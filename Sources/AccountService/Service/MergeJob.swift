internal import RPC
internal import ServicePolicy
package import Storage

/// Tells the other services that an account was merged: a job for each of them, so that one that cannot be reached
/// keeps no other from knowing. It goes on until they have answered.
struct MergeJob: Sendable {
  private static let consentKind = "account.merge-consent"
  private static let signatureKind = "account.merge-signatures"

  let news: any MergeNews

  static func enqueue(_ ended: String, into staying: String, _ transaction: Transaction) throws {
    for kind in [consentKind, signatureKind] { try transaction.enqueue(kind, Array("\(ended)\n\(staying)".utf8)) }
  }

  var handlers: [JobHandler] {
    // A service that knows of another merge of the same accounts will not hear of this one.
    [
      .lasting(Self.consentKind, until: .finalVerdicts) { job in
        try await tell(.consent, by: job) { try await news.tellConsent($0, into: $1, tenant: job.scope.tenant) }
      },
      .lasting(Self.signatureKind, until: .finalVerdicts) { job in
        try await tell(.signature, by: job) { try await news.tellSignatures($0, into: $1, tenant: job.scope.tenant) }
      },
    ]
  }

  /// What a service has under the ended identifier comes down to the devices of the person who stays once that service
  /// shows it: a pull before would be told that it is not theirs, and be on record for asking.
  private func tell(
    _ source: ChangeStore.Source, by job: Job, _ service: (String, String) async throws -> Void
  ) async throws {
    let names = String(decoding: job.payload, as: UTF8.self).split(separator: "\n").map(String.init)
    guard names.count == 2 else { return }
    let (ended, staying) = (names[0], names[1])
    try await service(ended, staying)
    try await job.finish { try ChangeStore.adopt(heardBy: source, from: ended, $0) }
  }
}

/// How AccountService tells other services of merged accounts.
package protocol MergeNews: Sendable {
  func tellConsent(_ ended: String, into staying: String, tenant: Tenant) async throws
  func tellSignatures(_ ended: String, into staying: String, tenant: Tenant) async throws
}
