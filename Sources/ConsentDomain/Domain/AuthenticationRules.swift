package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// The subject of a fresh authentication: one signature on one document, in one session or record, as it was shown.
package struct SigningChallenge: Sendable {
  package let bytes: [UInt8]

  /// Where the signature is given. The challenge says whether that is a session or a record, since a caller may choose
  /// a record's identifier for a session.
  package enum Place: Sendable {
    case session(String)
    /// For a person who signs after the session's end.
    case record(String)

    fileprivate var parts: [String] {
      switch self {
      case .session(let id): ["session", id]
      case .record(let id): ["record", id]
      }
    }
  }

  package init(place: Place, documentID: String, versionHash: String, localeHash: String, signatureID: String) {
    let parts = ["assent-challenge-1"] + place.parts + [documentID, versionHash, localeHash, signatureID]
    bytes = Digest(of: Array(parts.joined(separator: "\n").utf8)).bytes
  }
}

/// The person who must have authenticated.
package enum ExpectedSigner: Hashable, Sendable {
  /// This person: the subject, or the caller.
  case person(String)
  /// One of these: the guardians on record.
  case oneOf(Set<String>)
  /// Another person who signs in a subject's session, such as a guardian of whom nothing is on record.
  case other(than: String)
}

/// Checks that a signer has just authenticated (21 CFR 11.200), by the assertion of a verifier that the study trusts.
package struct AuthenticationRules: Sendable {
  package static let usualMaximumAge = Duration.seconds(300)
  /// How far a verifier's clock may be ahead of ours.
  private static let toleratedSkew = Duration.seconds(60)
  private static let mostVerifiers = 100
  private static let context = Array("assent-authentication-1\n".utf8)

  private let verifiers: [AuthenticationVerifier]
  private let maximumAge: Duration

  package init(_ study: ConsentStudy) {
    verifiers = study.verifiers
    maximumAge = Self.maximumAge(in: study)
  }

  /// How long ago an authentication may have been.
  package static func maximumAge(in study: ConsentStudy) -> Duration {
    study.authenticationMaxAge?.duration ?? usualMaximumAge
  }

  /// Checks that assertions could be verified with a study's verifiers.
  package static func check(_ study: ConsentStudy) throws(Refusal) {
    if let age = study.authenticationMaxAge {
      try DurationRules.check(age, within: .seconds(1)...(.days(1)), "study.authentication_max_age")
    }
    guard study.verifiers.count <= mostVerifiers else {
      let message = "study.verifiers has \(study.verifiers.count) entries; at most \(mostVerifiers) are allowed"
      throw Refusal(.invalid, "too_many", field: "study.verifiers", message)
    }
    var seen: Set<String> = []
    for (index, verifier) in study.verifiers.enumerated() {
      let field = "study.verifiers[\(index)]"
      guard ProblemList.isName(verifier.verifierID), seen.insert(verifier.verifierID).inserted else {
        let message = "\(field).verifier_id is '\(verifier.verifierID.shortened)'; it must be a name of its own"
        throw Refusal(.invalid, "bad_name", field: "\(field).verifier_id", message)
      }
      guard VerifyingKey(bytes: verifier.publicKey) != nil else {
        let message = "\(field).public_key has \(verifier.publicKey.count) bytes; an Ed25519 key has 32"
        throw Refusal(.invalid, "bad_key", field: "\(field).public_key", message)
      }
    }
  }

  /// The bytes that a verifier signs.
  package static func signedBytes(of assertion: [UInt8]) -> [UInt8] { context + assertion }

  /// The verified authentication; each fault has a refusal of its own.
  ///
  /// - Parameters:
  ///   - names: other identifiers of the person whom `signer` names.
  ///   - time: when it must be fresh: now or, in a walk without a connection, at the device's time of the signature.
  ///   - arrival: when the server got it, where that is another time; one that is too old by then is marked.
  package func verified(
    _ proof: Reauthentication?, for challenge: SigningChallenge, by signer: ExpectedSigner,
    alsoKnownAs names: [String] = [], at time: Instant, arrival: Instant? = nil
  ) throws(Refusal) -> VerifiedAuthentication {
    guard let proof, !proof.assertion.isEmpty else {
      throw Self.refusal("reauthentication_required", "this signature needs a fresh authentication of its signer")
    }
    guard let assertion = try? AuthenticationAssertion(decoding: proof.assertion) else {
      let message = "assertion is no AuthenticationAssertion"
      throw Refusal(.invalid, "bad_assertion", field: Self.field + ".assertion", message)
    }
    guard let verifier = verifiers.first(where: { $0.verifierID == assertion.verifierID }) else {
      let name = assertion.verifierID.shortened
      throw Self.refusal("unknown_verifier", "the study has no verifier '\(name)'")
    }
    let key = VerifyingKey(bytes: verifier.publicKey)
    guard key?.verifies(proof.signature, of: Self.signedBytes(of: proof.assertion)) == true else {
      throw Self.refusal(
        "assertion_forged", "the assertion is not signed with the key of verifier '\(verifier.verifierID)'")
    }
    guard assertion.challenge == challenge.bytes else {
      let message = "the assertion was made for another signature; its challenge must be the one of this screen or task"
      throw Self.refusal("assertion_for_another", message)
    }
    try check(assertion, signer, names)
    try checkAge(of: assertion, at: time)
    return VerifiedAuthentication(
      verifierID: verifier.verifierID, publicKey: verifier.publicKey, signer: assertion.signer,
      method: assertion.method, authenticatedAt: assertion.authenticatedAt, proof: proof,
      byDeviceTime: !isFresh(assertion, at: arrival ?? time))
  }

  private func check(
    _ assertion: AuthenticationAssertion, _ signer: ExpectedSigner, _ names: [String]
  ) throws(Refusal) {
    // It stays in clear on the record for good.
    try PlainIdentifier.check(assertion.signer, field: Self.field + ".assertion.signer")
    let isRight =
      switch signer {
      case .person(let person): assertion.signer == person || names.contains(assertion.signer)
      case .oneOf(let people): people.contains(assertion.signer)
      case .other(let subject):
        !assertion.signer.isEmpty && assertion.signer != subject && !names.contains(assertion.signer)
      }
    guard isRight else {
      throw Self.refusal("other_signer", "'\(assertion.signer.shortened)' authenticated, who is not to sign here")
    }
    guard (1...64).contains(assertion.method.utf8.count) else {
      let message = "the assertion's method has \(assertion.method.utf8.count) bytes; it must have 1 to 64"
      throw Refusal(.invalid, "bad_assertion", field: Self.field + ".assertion", message)
    }
  }

  private func isFresh(_ assertion: AuthenticationAssertion, at time: Instant) -> Bool {
    let at = assertion.authenticatedAt.orEpoch
    return at <= time + Self.toleratedSkew && time <= at + maximumAge
  }

  private func checkAge(of assertion: AuthenticationAssertion, at time: Instant) throws(Refusal) {
    guard isFresh(assertion, at: time) else {
      let at = assertion.authenticatedAt.orEpoch
      let message =
        "the signer authenticated at \(TimeText.rfc3339(at)); it is \(TimeText.rfc3339(time)), and at most "
        + "\(maximumAge.components.seconds) seconds may lie between"
      throw Self.refusal("reauthentication_stale", message)
    }
  }

  private static let field = "signature.reauthentication"

  private static func refusal(_ rule: String, _ message: String) -> Refusal {
    Refusal(.precondition, rule, field: field, message)
  }
}
