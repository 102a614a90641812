internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// Combines a session's flow and documents, in its locale and with the texts that it began with.
enum ScriptLoader {
  /// A version of a document with the texts of a locale.
  ///
  /// - Parameter known: the locale of the text that a session shows already. Only a draft may have lost it meanwhile.
  static func document(
    _ version: DocumentVersion, texts: ScreenTexts, in known: String? = nil
  ) throws -> ScriptDocument {
    let content = version.content ?? DocumentContent()
    let kept = content.texts.first { $0.locale == known }
    guard let text = kept ?? content.text(for: texts.locale) else {
      let message = "document '\(version.documentID)' has no text for '\(texts.locale)' and none in its default locale"
      throw Refusal(.precondition, "missing_translation", field: "locale", message)
    }
    return ScriptDocument(
      id: version.documentID, version: version.version, versionHash: version.versionHash,
      localeHash: version.localeHashes.first { $0.locale == text.locale }?.hash ?? "",
      settings: content.settings ?? DocumentSettings(), text: text, texts: texts)
  }

  static func script(for session: StoredSession, _ snapshot: Snapshot) throws -> FlowScript {
    let version = try FlowStore.existing(session.flowID, session.flowVersion, snapshot)
    let definition = (version.definition ?? FlowDefinition()).walked(at: session.siteID)
    guard let locale = LocaleTag(session.locale), let standIn = LocaleTag(definition.defaultLocale) else {
      throw Refusal(.precondition, "unknown_locale", field: "locale", "session '\(session.id)' is in no known locale")
    }
    let kept = session.state.texts
    let own = try kept.map { try TextsStore.version($0.textsVersion, snapshot) } ?? TextsStore.current(snapshot)
    let texts = ScreenTexts(locale: locale, standIn: standIn, own: own)
    let documents = try session.documents.map { pinned in
      let version = try DocumentStore.existing(pinned.documentID, pinned.version, snapshot)
      let known = kept?.documents.first { $0.documentID == pinned.documentID }?.locale
      return try document(version, texts: texts, in: known)
    }
    return try FlowScript(
      flowID: session.flowID, flowVersion: session.flowVersion, flowHash: version.versionHash, definition: definition,
      documents: documents, texts: texts, birthDateGiven: session.state.birthDateGiven, isTest: session.isTest)
  }
}
