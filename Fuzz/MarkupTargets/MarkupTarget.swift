internal import ConsentDomain
public import FuzzKit

/// What must hold for any bytes as a document's HTML, as its Markdown, and as a drawing: what is left after cleaning is
/// clean, and nothing in it runs or loads.
public enum MarkupTarget: FuzzTarget {
  public static func complaint(about input: [UInt8]) -> String? {
    let text = String(decoding: input, as: UTF8.self)
    return complaint(about: text, .document) ?? complaint(about: text, .drawing)
      ?? (try? Markdown.html(text)).flatMap { complaint(about: $0, .document) }
  }

  private static func complaint(about markup: String, _ allowed: AllowList) -> String? {
    let sanitizer = Sanitizer(allowed)
    guard let once = try? sanitizer.sanitize(markup).markup else { return nil }
    guard (try? sanitizer.sanitize(once).markup) == once else { return "it reads differently: \(once)" }
    return CleanMarkup.fault(in: once, allowed)
  }

  /// Why markup is not clean; nil if it is.
  public static func fault(in markup: String, isDrawing: Bool = false) -> String? {
    CleanMarkup.fault(in: markup, isDrawing ? .drawing : .document)
  }

  public static func seeds() -> [[UInt8]] {
    let texts = [
      "<h2>Title</h2><p>Some <strong>bold</strong> and <em>slanted</em> text.<br>More.</p>",
      "<ul><li>one</li></ul><table><thead><tr><th scope=\"col\">a</th></tr></thead><td>b</table>",
      "<a href=\"https://example.org/?a=1&amp;b=2\">x</a><img src=\"asset:0\" onerror=y><!-- z -->",
      "<svg viewBox=\"0 0 10 10\"><g><path d=\"M0 0L9 9z\"/></g><style><![CDATA[a>b]]></style><title>t</title></svg>",
      "<math><mi><annotation-xml encoding=\"text/html\"><b>x</b></math><select><option><template><p>",
      "# Title\n\n- one\n  - two\n\n> quoted *text* [link](https://example.org) ![picture](asset:0)\n\n1. <b>raw</b>\n",
    ]
    return texts.map { Array($0.utf8) }
  }
}
