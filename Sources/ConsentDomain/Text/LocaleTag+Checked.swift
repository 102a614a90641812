internal import Base
package import Refusals

extension LocaleTag {
  /// The language tag in a request's field; refuses anything else.
  package static func checked(_ text: String, _ field: String) throws(Refusal) -> LocaleTag {
    guard let locale = LocaleTag(text) else {
      let message = "\(field) is '\(text.shortened)', which is no language tag such as 'de-AT'"
      throw Refusal(.invalid, "unknown_locale", field: field, message)
    }
    return locale
  }
}
