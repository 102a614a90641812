package import AccountContract
internal import Base
package import ServicePolicy
internal import Wire

/// A tenant's settings, checked, with what holds when they say nothing.
package enum SettingsRules {
  /// For how long an upload grant may be good.
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
      try ProfileRules.checkText(
        title.text, atMost: 200, "settings.application.titles[\(index)].text", isRequired: true)
    }
    if !application.logo.isEmpty {
      try PictureRules.check(application.logo, "settings.application.logo", atMost: ProfileRules.largestPicture)
    }
    for (span, bounds, field) in [
      (settings.autoLock, .seconds(10)...(.seconds(86_400)), "auto_lock"),
      (settings.offlineLifetime, .seconds(60)...(.seconds(90 * 86_400)), "offline_lifetime"),
      (settings.uploadLifetime, .seconds(3600)...longestUpload, "upload_lifetime"),
    ] as [(ProtobufDuration?, ClosedRange<Duration>, String)] {
      guard let span else { continue }
      if let duration = span.duration, bounds.contains(duration) { continue }
      let (least, most) = (bounds.lowerBound.components.seconds, bounds.upperBound.components.seconds)
      let message = "settings.\(field) is \(span.seconds) seconds; it must be \(least) to \(most)"
      throw Refusal(.invalid, "out_of_bounds", field: "settings.\(field)", message)
    }
    try IssuerRules.check(settings)
    return settings
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
    var tag = locale
    while !tag.isEmpty {
      if let title = titles.first(where: { $0.locale.lowercased() == tag.lowercased() }) { return title.text }
      tag = tag.lastIndex(of: "-").map { String(tag[..<$0]) } ?? ""
    }
    return (titles.first { $0.locale == "en" } ?? titles.first)?.text ?? ""
  }
}
