package import Base
package import ConsentContract
internal import Wire

/// The hashes of published content, which a consent names and an audit recomputes.
package enum DocumentHashes {
  package static func settings(_ settings: DocumentSettings) throws -> Digest {
    Digest(of: try settings.encoded())
  }

  /// The hash of one locale. It covers the settings as well, so that one hash identifies everything that a person of
  /// that locale agreed to.
  package static func locale(_ text: DocumentText, settings: Digest) throws -> Digest {
    var builder = DigestBuilder()
    builder.update("assent-locale-1\n")
    builder.update(settings.bytes)
    builder.update(try text.encoded())
    return builder.finish()
  }

  /// The hash over the manifest of all locales.
  package static func version(settings: Digest, locales: [LocaleHash]) -> Digest {
    var builder = DigestBuilder()
    builder.update("assent-version-1\nsettings \(settings.hex)\n")
    for locale in locales.sorted(by: { $0.locale < $1.locale }) {
      builder.update("locale \(locale.locale) \(locale.hash)\n")
    }
    return builder.finish()
  }

  package static func flow(_ definition: FlowDefinition) throws -> Digest {
    var builder = DigestBuilder()
    builder.update("assent-flow-1\n")
    builder.update(try definition.encoded())
    return builder.finish()
  }
}
