package import AccountContract
internal import Base
package import Refusals
internal import Wire

/// Checks a tenant's settings. The defaults of those that are not set are in the extensions below.
package enum SettingsRules {
  /// The longest time for which an upload grant may be valid.
  package static let longestUpload = Duration.seconds(365 * 86_400)

  package static func checked(_ settings: AccountSettings?) throws(Refusal) -> AccountSettings {
    guard let settings else { throw Refusal(.invalid, "missing", field: "settings", "settings is missing") }
    if let policy = settings.passcodePolicy { try PasscodeRules.check(policy) }
    let application = settings.application ?? ApplicationDetails()
    guard application.titles.count <= 100 else {
      let message = "settings.application.titles has \(application.titles.count) entries; at most 100 are allowed"
      throw Refusal(.invalid, "too_many", field: "settings.application.titles", message)
    }
    for (index, title) in application.titles.enumerated() {
      let field = "settings.application.titles[\(index)]"
      try LocaleRules.check(title.locale, "\(field).locale")
      try ProfileRules.checkText(title.text, atMost: 200, "\(field).text", isRequired: true)
    }
    if !application.logo.isEmpty {
      try PictureRules.check(application.logo, "settings.application.logo", atMost: ProfileRules.largestPicture)
    }
    for (span, bounds, field) in [
      (settings.autoLock, .seconds(10)...(.seconds(86_400)), "auto_lock"),
      (settings.offlineLifetime, .seconds(60)...(.seconds(90 * 86_400)), "offline_lifetime"),
      (settings.uploadLifetime, .seconds(1)...longestUpload, "upload_lifetime"),
    ] as [(ProtobufDuration?, ClosedRange<Duration>, String)] {
      guard let span else { continue }
      if let duration = span.duration, bounds.contains(duration) { continue }
      let (least, most) = (bounds.lowerBound.components.seconds, bounds.upperBound.components.seconds)
      let message = "settings.\(field) is \(span.seconds) seconds; it must be \(least) to \(most)"
      throw Refusal(.invalid, "out_of_bounds", field: "settings.\(field)", message)
    }
    try ProfileRules.checkText(settings.onboardingFlowID, atMost: 128, "settings.onboarding_flow_id")
    try check(settings.viewTexts)
    try IssuerRules.check(settings)
    return settings
  }
}

extension SettingsRules {
  private static let mostTexts = 2000

  /// Checks the texts that a tenant uses instead of the built-in ones: each must have the same `{places}`.
  private static func check(_ texts: [AccountViewText]) throws(Refusal) {
    guard texts.count <= mostTexts else {
      let message = "settings.view_texts has \(texts.count) entries; at most \(mostTexts) are allowed"
      throw Refusal(.invalid, "too_many", field: "settings.view_texts", message)
    }
    var seen: Set<[String]> = []
    for (index, text) in texts.enumerated() {
      let field = "settings.view_texts[\(index)]"
      guard LocaleRules.isTag(text.locale) else {
        let message = "\(field).locale is '\(text.locale.shortened)'; it must be a BCP 47 tag such as de-AT"
        throw Refusal(.invalid, "bad_locale", field: "\(field).locale", message)
      }
      guard let key = AccountTextKey(name: text.key) else {
        let known = AccountTextKey.allCases.map(\.name).joined(separator: ", ")
        let message = "\(field).key is '\(text.key.shortened)'; the keys are: \(known)"
        throw Refusal(.invalid, "unknown_key", field: "\(field).key", message)
      }
      guard seen.insert([text.locale.lowercased(), text.key]).inserted else {
        let message = "\(field) is the second text for '\(text.key)' in \(text.locale)"
        throw Refusal(.invalid, "twice", field: field, message)
      }
      try ProfileRules.checkText(text.text, atMost: 600, "\(field).text", isRequired: true)
      let places = AccountTexts.places(in: AccountTexts.builtIn(key, "en"))
      guard AccountTexts.places(in: text.text) == places else {
        let wanted = places.isEmpty ? "none" : places.sorted().map { "{\($0)}" }.joined(separator: ", ")
        let message = "\(field).text has other places than the text of '\(text.key)', which has \(wanted)"
        throw Refusal(.invalid, "other_places", field: "\(field).text", message)
      }
    }
  }
}

extension AccountSettings {
  package var lockAfter: Duration { autoLock?.duration ?? .seconds(300) }
  package var offlineFor: Duration { offlineLifetime?.duration ?? .seconds(7 * 86_400) }
  package var uploadFor: Duration { uploadLifetime?.duration ?? .seconds(30 * 86_400) }
}

extension ApplicationDetails {
  /// The title in a locale: exact, then ever shorter, then English, then the first.
  package func title(in locale: String) -> String {
    var tag = locale.lowercased()
    let known = titles.map { (locale: $0.locale.lowercased(), text: $0.text) }
    while !tag.isEmpty {
      if let title = known.first(where: { $0.locale == tag }) { return title.text }
      tag = tag.lastIndex(of: "-").map { String(tag[..<$0]) } ?? ""
    }
    return (titles.first { $0.locale == "en" } ?? titles.first)?.text ?? ""
  }
}
