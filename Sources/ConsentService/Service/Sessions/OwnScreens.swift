internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// The content that an app says it showed on screens of its own.
struct OwnScreens {
  /// The words of the flow's forms; nil if the app does not say in which words it showed them.
  var forms: FormWords?
}

extension RecordConsentRequest {
  /// The words in which the app says it showed the flow's forms; nil where it does not say, so that no record claims to
  /// know them.
  ///
  /// Which forms are asked for, and what they permit, follows from the version that the session walks. An app that was
  /// built for an earlier version keeps working until that version is retired or stopped, and its records have the
  /// words that it showed.
  func formWords(_ session: StoredSession, _ script: FlowScript, _ snapshot: Snapshot) throws -> FormWords? {
    if flowVersion == 0, flowLocale.isEmpty { return nil }
    guard flowVersion != 0, !flowLocale.isEmpty else {
      let missing = flowVersion == 0 ? "flow_version" : "flow_locale"
      let message = "\(missing) is not stated; flow_version and flow_locale say together what the app showed"
      throw Refusal(.invalid, "not_stated", field: missing, message)
    }
    let locale = try LocaleTag.checked(flowLocale, "flow_locale")
    let words = try words(session, locale, snapshot)
    guard forms.isEmpty || words.isInLocale else {
      let message = "flow_locale is '\(locale.text)'; version \(flowVersion) has no words of its forms in it"
      throw Refusal(.precondition, "other_locale", field: "flow_locale", message)
    }
    for (index, decision) in forms.enumerated() {
      let field = "forms[\(index)].step_id"
      guard let purpose = words.purpose(of: decision.stepID), purpose == script.formWords.purpose(of: decision.stepID)
      else {
        let message =
          "\(field) is '\(decision.stepID)', by which version \(flowVersion) asks for something else than version "
          + "\(session.flowVersion), or for nothing"
        throw Refusal(.precondition, "other_version", field: field, message)
      }
    }
    return words
  }

  private func words(_ session: StoredSession, _ locale: LocaleTag, _ snapshot: Snapshot) throws -> FormWords {
    let state = try FlowStore.state(of: session.flowID, flowVersion, snapshot)
    guard flowVersion == session.flowVersion || state == .published else {
      let message =
        "flow_version is \(flowVersion); it may be \(session.flowVersion), or one before it that was neither retired "
        + "nor stopped"
      throw Refusal(.precondition, "other_version", field: "flow_version", message)
    }
    let version = try FlowStore.existing(session.flowID, flowVersion, snapshot)
    return FormWords(
      flowVersion: flowVersion, flowHash: version.versionHash, definition: version.definition ?? FlowDefinition(),
      locale: locale)
  }
}
