internal import CMark
internal import Glibc

/// Markdown (CommonMark) as HTML. The HTML is as untrusted as the Markdown: it still has to be sanitised.
package enum Markdown {
  package static func html(_ markdown: String) throws(MarkupError) -> String {
    try MarkupBounds.check(markdown: markdown)
    var bytes = Array(markdown.utf8)
    bytes.append(0)
    // Raw HTML passes here, so that the sanitiser sees it and can report what it removes.
    let options = CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_UNSAFE
    let result = unsafe bytes.withUnsafeBytes { buffer in
      let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe cmark_markdown_to_html(text, buffer.count - 1, options)
    }
    guard let result = unsafe result else { return "" }
    defer { unsafe free(result) }
    return unsafe String(cString: result)
  }
}
