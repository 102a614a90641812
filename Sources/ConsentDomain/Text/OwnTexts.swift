package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// A tenant's own words for texts of the catalogue, which reach every screen: versioned and hashed as a whole.
package enum OwnTexts {
  private static let longest = 2000

  /// The known words with some overrides changed: checked, complete, and in one order.
  package static func merged(
    _ known: [TextOverride], with changes: [TextOverride]
  ) throws(Refusal) -> [TextOverride] {
    try AuthoringBounds.require(changes.count, atMost: TextKey.allCases.count, "overrides")
    var merged = known.keyed(by: \.key)
    for (index, change) in changes.enumerated() {
      let field = "overrides[\(index)]"
      guard let key = TextKey(rawValue: change.key) else {
        let message = "\(field).key is '\(change.key.shortened)', which is no text of the catalogue"
        throw Refusal(.notFound, "unknown_text", field: "\(field).key", message)
      }
      let most = AuthoringBounds.mostTranslations
      try AuthoringBounds.require(change.text?.translations.count ?? 0, atMost: most, "\(field).text")
      var translations: [String: String] = [:]
      for translation in change.text?.translations ?? [] {
        guard let locale = LocaleTag(translation.locale), translation.text.utf8.count <= longest else {
          let message = "\(field).text has locale '\(translation.locale.shortened)' or more than \(longest) bytes"
          throw Refusal(.invalid, "bad_translation", field: "\(field).text", message)
        }
        translations[locale.text] = translation.text
      }
      merged[key.rawValue] = nil
      guard !translations.isEmpty else { continue }
      let words = translations.sorted { $0.key < $1.key }.map { Translation(locale: $0.key, text: $0.value) }
      merged[key.rawValue] = TextOverride(key: key.rawValue, text: LocalizedText(translations: words))
    }
    return merged.values.sorted { $0.key < $1.key }
  }

  package static func hash(_ overrides: [TextOverride]) throws -> Digest {
    var builder = DigestBuilder()
    builder.update("assent-texts-1\n")
    builder.update(try TextsVersion(overrides: overrides).encoded())
    return builder.finish()
  }

  /// The keys whose words differ.
  package static func changedKeys(from earlier: [TextOverride], to later: [TextOverride]) -> [String] {
    let (before, after) = (Set(earlier.map { MessageKey($0) }), Set(later.map { MessageKey($0) }))
    return Set(before.symmetricDifference(after).map(\.message.key)).sorted()
  }
}

extension TextsVersion {
  /// The words in the form in which screens look them up.
  package var lookup: ScreenTexts.Overrides {
    var lookup: ScreenTexts.Overrides = [:]
    for override in overrides {
      guard let key = TextKey(rawValue: override.key) else { continue }
      for translation in override.text?.translations ?? [] {
        lookup[key, default: [:]][translation.locale] = translation.text
      }
    }
    return lookup
  }
}
