package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// Makes a draft immutable and names it by its hashes.
package enum Publishing {
  /// Names what is published by its hashes.
  package static func seal(_ version: inout DocumentVersion) throws {
    let content = version.content ?? DocumentContent()
    let settings = try DocumentHashes.settings(content.settings ?? DocumentSettings())
    let texts = content.texts.sorted { $0.locale < $1.locale }
    version.content?.texts = texts
    version.localeHashes = try texts.map { text in
      LocaleHash(
        locale: text.locale, hash: try DocumentHashes.locale(text, settings: settings).hex,
        publishedAt: version.publishedAt)
    }
    version.versionHash = DocumentHashes.version(settings: settings, locales: version.localeHashes).hex
  }

  /// Adds a translation to a published version: it gets its own hash, never changes again, and triggers no re-consent.
  package static func add(
    _ text: DocumentText, to version: inout DocumentVersion, assets: Set<String>, by author: String,
    approvedBy second: String = "", at now: Instant
  ) throws {
    guard version.state == .published || version.state == .retired else {
      let message =
        "version \(version.version) is \(version.state.word); translations are added to drafts and published ones"
      throw Refusal(.precondition, "not_published", field: "version", message)
    }
    guard !version.localeHashes.contains(where: { $0.locale == text.locale }) else {
      let message = "text.locale is '\(text.locale)', which is published already and never changes"
      throw Refusal(.alreadyExists, "already_published", field: "text.locale", message)
    }
    var content = version.content ?? DocumentContent()
    content.texts.append(text)
    try refuse(DocumentValidation.problems(in: content, version: Int(version.version), assets: assets))
    let settings = try DocumentHashes.settings(content.settings ?? DocumentSettings())
    version.content = content
    version.localeHashes.append(
      LocaleHash(
        locale: text.locale, hash: try DocumentHashes.locale(text, settings: settings).hex,
        publishedAt: Timestamp(now), addedLater: true, addedBy: author, approvedBy: second))
    version.pendingTranslations.removeAll { $0.text?.locale == text.locale }
  }

  /// Adds a translation in a study that requires a second person: the first person's text waits, and reaches signers
  /// when another person sets the very same text. A different text replaces the one that waits.
  package static func addByTwo(
    _ text: DocumentText, to version: inout DocumentVersion, assets: Set<String>, by person: Approver, at now: Instant
  ) throws -> Approval {
    let pending = version.pendingTranslations.first { $0.text?.locale == text.locale }
    if let pending, pending.text == text {
      if person.asked(as: pending.askedBy) { return .waits }
      try add(text, to: &version, assets: assets, by: pending.askedBy, approvedBy: person.name, at: now)
      return .given
    }
    // Tried on a copy: a text that could not be added is not offered for approval.
    var copy = version
    try add(text, to: &copy, assets: assets, by: person.name, at: now)
    version.pendingTranslations.removeAll { $0.text?.locale == text.locale }
    version.pendingTranslations.append(
      PendingTranslation(
        text: text, hash: copy.localeHashes.last?.hash ?? "", askedBy: person.name, askedAt: Timestamp(now)))
    return .asked
  }

  /// The result of setting something that needs a second person.
  package enum Approval {
    /// The change takes effect: another person had asked for the very same.
    case given
    /// The change waits for approval from now on.
    case asked
    /// The change waits already, for somebody else than this person.
    case waits
  }

  /// Throws unless a version can be reinstated: it must be retired, no version may have replaced it, and no later
  /// version may end consents to it by a date. Else people would be asked to consent anew, and could not consent to
  /// that later version.
  ///
  /// - Parameter demands: what the document's versions require of those who consented to earlier ones.
  package static func requireReinstatable(
    _ state: VersionState, _ number: Int32, published: Int32, demands: [ReconsentDemand] = []
  ) throws(Refusal) {
    guard state == .retired else {
      throw Refusal(.precondition, "not_retired", field: "version", "version is \(number), which is \(state.word)")
    }
    guard published == 0 else {
      let message = "version is \(number); version \(published) is published in its place"
      throw Refusal(.precondition, "replaced", field: "version", message)
    }
    guard let later = demands.first(where: { $0.version > number && $0.policy == .byDate }) else { return }
    let message =
      "version is \(number), and version \(later.version) ends consents to it by a date; stop version \(later.version) "
      + "first, or publish a new one"
    throw Refusal(.precondition, "reconsent_demanded", field: "version", message)
  }

  /// Throws if the caller states another revision of a draft than the newest: it was edited meanwhile.
  package static func require(_ revision: Int32, draftAt newest: Int32) throws(Refusal) {
    guard revision != newest else { return }
    throw Refusal(
      .aborted, "stale_version", field: "expected_revision",
      "expected_revision is \(revision); the draft is at \(newest)")
  }

  /// Throws if the person who approves a publication is the one who asked for it.
  package static func requireSecond(
    _ person: Approver, after asker: String, field: String, study: String
  ) throws(Refusal) {
    guard person.asked(as: asker) else { return }
    let message = "'\(asker)' asked for this publication; study '\(study)' wants a second person to approve it"
    throw Refusal(.precondition, "second_person_needed", field: field, message)
  }

  package static func refuse(_ problems: [Problem]) throws(Refusal) {
    let errors = problems.filter { $0.severity == .error }
    guard let first = errors.first else { return }
    let shown = errors.prefix(10).map(\.message).joined(separator: "; ")
    let rest = errors.count > 10 ? "; and \(errors.count - 10) more" : ""
    let message = "\(errors.count) problems stand in the way of publishing: \(shown)\(rest)"
    throw Refusal(.precondition, first.rule, field: first.field, message)
  }
}

extension VersionState {
  package static let everPublished: [VersionState] = [.published, .retired, .stopped]

  /// Whether the version is published, or was before it was retired or stopped.
  package var wasPublished: Bool { Self.everPublished.contains(self) }
}
