internal import Base
package import ConsentContract

extension ReviewDocument {
  /// The same document with other words: the plain text that an app showed on screens of its own.
  package func saying(_ text: String) -> ReviewDocument {
    let paragraphs = text.split(separator: "\n").map { "<p>\(escaped(String($0)))</p>" }
    var own = self
    own.sections = []
    own.separateHTML = paragraphs.joined()
    own.html = LanguageMarkup.block(own.separateHTML, in: locale)
    own.hash = Digest(of: Array(own.html.utf8)).hex
    return own
  }
}
