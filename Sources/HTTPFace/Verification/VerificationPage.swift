internal import Base
internal import Face
internal import RPC

/// The page in one language. All of it works in any browser, and on paper. Where the gateway serves elements, one of
/// them takes the place of the form for a SHA-256, and checks the file in the visitor's browser.
struct VerificationPage {
  /// What `<assent-verify>` needs.
  struct Element: Sendable {
    /// The module's address.
    let module: String
    /// Public keys of evidence.
    let keys: [String]
  }

  let words: VerificationWords
  private let element: Element?

  /// - Parameter wish: the header `Accept-Language`.
  init(for wish: String?, element: Element? = nil) {
    words = VerificationWords.best(for: wish ?? "")
    self.element = element
  }

  /// The page without a document, for files that say by themselves what they are.
  var withoutQuestion: HTTPResponse { page(200, [checked("", "<p>\(words.unknown)</p>")]) }

  func response(to question: VerificationQuestion, _ finding: VerificationFinding) -> HTTPResponse {
    var parts = [state(finding)]
    if finding.isSealed {
      parts.append(facts(question, finding))
      parts.append(checked(question.id, compare(question, finding)))
    }
    parts.append("<p class=\"note\">\(words.silence)</p>")
    return page(200, parts)
  }

  /// The page when there is nothing to show.
  func response(to status: Status) -> HTTPResponse {
    let isUnknown = status.code == .notFound || status.code == .invalidArgument
    var response = page(
      isUnknown ? 404 : ConnectError.httpStatus(status.code),
      [Self.box(isUnknown ? .bad : .open, isUnknown ? words.unknown : words.unavailable)])
    response.addRetryAfter(status)
    return response
  }

  // MARK: - Parts

  private enum Tone: String {
    case good, bad, open
  }

  private static func box(_ tone: Tone, _ text: String) -> String {
    "<p class=\"box \(tone.rawValue)\" role=\"status\">\(text)</p>"
  }

  private func state(_ finding: VerificationFinding) -> String {
    guard finding.isSealed else { return Self.box(.open, words.unsealed) }
    return Self.box(.good, words.sealed) + (finding.isParticipants ? "<p>\(words.participants)</p>" : "")
      + (finding.isErased ? Self.box(.open, words.erased) : "")
  }

  private func facts(_ question: VerificationQuestion, _ finding: VerificationFinding) -> String {
    var rows: [(String, String)] = []
    if let time = finding.sealedAt {
      let printed = TimeText.printed(time)
      rows.append((words.sealedAt, "<time datetime=\"\(TimeText.rfc3339(time))\">\(printed)</time>"))
    }
    rows.append((words.sealedBy, MarkupText.escaped(finding.sealedBy)))
    let meaning = words.level(finding.level)
    rows.append((words.level, MarkupText.escaped(finding.level) + (meaning.isEmpty ? "" : ": \(meaning)")))
    rows.append((words.identifier, "<code dir=\"ltr\">\(MarkupText.escaped(question.id))</code>"))
    return "<dl>\(rows.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }.joined())</dl>"
  }

  /// The element around what there is to see where it cannot run.
  private func checked(_ id: String, _ fallback: String) -> String {
    guard let element else { return fallback }
    let keys = MarkupText.escaped(element.keys.joined(separator: " "))
    return "<assent-verify identifier=\"\(MarkupText.escaped(id))\" keys=\"\(keys)\">\(fallback)</assent-verify>"
  }

  private func compare(_ question: VerificationQuestion, _ finding: VerificationFinding) -> String {
    var answer = ""
    switch finding.comparison {
    case .same: answer = Self.box(.good, words.same)
    case .earlier: answer = Self.box(.good, words.earlier)
    case .different: answer = Self.box(.bad, words.different)
    case .erased: answer = Self.box(.open, words.incomparable)
    case nil: if !question.sha256.isEmpty { answer = Self.box(.bad, words.noSum) }
    }
    return """
      <section aria-labelledby="c">
      <h2 id="c">\(words.compareTitle)</h2>
      \(answer)<p>\(words.compareText)</p>
      <ul>
      <li>Linux: <code dir="ltr">sha256sum FILE.pdf</code></li>
      <li>macOS: <code dir="ltr">shasum -a 256 FILE.pdf</code></li>
      <li>Windows: <code dir="ltr">certutil -hashfile FILE.pdf SHA256</code></li>
      </ul>
      <form method="get">
      <label for="sum">\(words.sumLabel)</label>
      <input id="sum" name="sha256" dir="ltr" maxlength="400" autocomplete="off" autocapitalize="none" \
      spellcheck="false" value="\(MarkupText.escaped(question.sha256.shortened(to: 64)))" required>
      <button>\(words.sumButton)</button>
      </form>
      <h2>\(words.ownTitle)</h2>
      <p>\(words.ownText)</p>
      <p><code dir="ltr">assent verify FILE.pdf</code></p>
      </section>
      """
  }

  // MARK: - The whole

  private func page(_ status: Int, _ parts: [String]) -> HTTPResponse {
    let text = """
      <!doctype html>
      <html lang="\(words.language)" dir="\(words.isRightToLeft ? "rtl" : "ltr")">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>\(words.title)</title>
      <link rel="icon" href="data:,">
      <style>\(Self.style)</style>\(script)
      </head>
      <body>
      <main>
      <h1>\(words.title)</h1>
      \(parts.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
    let digest = Base64.encode(Digest(of: Array(Self.style.utf8)).bytes)
    var policy = [
      "default-src 'none'", "style-src 'sha256-\(digest)'", "img-src data:", "form-action 'self'", "base-uri 'none'",
      "frame-ancestors 'none'",
    ]
    if element != nil {
      policy += [
        "script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'",
      ]
    }
    return HTTPResponse(
      status,
      [
        ("content-type", "text/html; charset=utf-8"), ("content-language", words.language),
        ("content-security-policy", policy.joined(separator: "; ")), ("vary", "accept-language"),
        // The address leads to a document, so browsers must not send it to the page that is visited next.
        ("referrer-policy", "no-referrer"), ("x-robots-tag", "noindex"),
      ], body: .bytes(Array(text.utf8)))
  }

  private var script: String {
    element.map { "\n<script type=\"module\" src=\"\(MarkupText.escaped($0.module))\"></script>" } ?? ""
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #17202c; --faint: #526070; --paper: #f5f7fa; --card: #fff; --line: #d5dce5;
      --good: #14683a; --good-back: #dcf3e4; --warn: #7d4a00; --warn-back: #fdeecb; --bad: #9b1c1c; --bad-back: #fde2e2;
      --accent: #1d4ed8; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e8edf4; --faint: #a3b0c0; --paper: #10151c; --card: #19202a; --line: #303b49;
        --good: #86e0ab; --good-back: #123524; --warn: #ffd07a; --warn-back: #3d2c08; --bad: #ffb0b0;
        --bad-back: #451a1a; --accent: #93b4ff; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); }
    main { max-width: 44rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
    h1 { font-size: 1.5rem; }
    h2 { font-size: 1.1rem; margin-top: 2rem; }
    .box { padding: .75rem 1rem; border-radius: .6rem; font-weight: 600; }
    .good { color: var(--good); background: var(--good-back); }
    .open { color: var(--warn); background: var(--warn-back); }
    .bad { color: var(--bad); background: var(--bad-back); }
    .note { color: var(--faint); margin-top: 2rem; }
    dl { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .25rem 1rem; }
    dl div { padding: .5rem 0; }
    dt { color: var(--faint); font-size: .9rem; }
    dd { margin: 0; overflow-wrap: anywhere; }
    code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
    label { display: block; margin-bottom: .25rem; }
    input, button { font: inherit; min-height: 2.75rem; padding: .4rem .8rem; border-radius: .4rem; color: inherit;
      border: 1px solid var(--faint); background: var(--card); }
    input { width: 100%; font-family: ui-monospace, monospace; font-size: .85rem; }
    button { margin-top: .5rem; border-color: var(--accent); color: var(--accent); cursor: pointer; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    """
}
