import Base
import Bus
import ConsentContract
import Face
import HTTPFace
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

/// The page that the QR code of a signed document leads to.
@Suite(.timeLimit(.minutes(1))) struct VerificationPageTests {
  /// Knows one document.
  private final class Documents: RPCService {
    static var descriptor: ServiceDescriptor { RecordServiceMethods.service }
    static let id = "t1." + String(repeating: "ab", count: 16)
    static let sum = String(repeating: "0f", count: 32)
    let answer: Mutex<CheckSignedCopyResponse>
    let asked = Mutex<[CheckSignedCopyRequest]>([])
    let callers = Mutex<[CallerIdentity]>([])

    init(_ change: (inout CheckSignedCopyResponse) -> Void = { _ in }) {
      var copy = SignedCopy()
      (copy.state, copy.level, copy.sealedBy) = (.sealed, "B-T", "CN=Seal of <Heart> & Co")
      copy.sealedAt = Timestamp(Instant(millisecondsSince1970: 1_772_353_800_000))
      copy.verificationID = Self.id
      var answer = CheckSignedCopyResponse()
      answer.copy = copy
      change(&answer)
      self.answer = Mutex(answer)
    }

    var handlers: [MethodHandler] {
      [
        .unaryInBytes(RecordServiceMethods.checkSignedCopy) { [self] bytes, context in
          let request = try CheckSignedCopyRequest(decoding: bytes.span, limits: DecodingLimits())
          asked.withLock { $0.append(request) }
          callers.withLock { $0.append(context.identity) }
          guard request.verificationID == Self.id else { throw Status(.notFound, "unknown_verification: none") }
          var answer = answer.withLock { $0 }
          if !request.sha256.isEmpty, answer.comparison == .unspecified {
            answer.comparison = request.sha256 == Self.sum ? .same : .different
          }
          return try answer.encoded()
        }
      ]
    }
  }

  private func visit(
    _ documents: Documents, _ path: String = "/verify/\(Documents.id)", _ headers: [(String, String)] = [],
    method: String = "GET", web: WebFiles? = nil
  ) async throws -> (response: HTTPResponse, page: String) {
    let bench = try HTTPBench(web: web)
    bench.bus.serve([documents])
    let (response, body) = await bench.answer(HTTPBench.head(method, path, headers))
    return (response, body.text)
  }

  @Test("tells whoever was handed a file what is on record, and runs and loads nothing")
  func page() async throws {
    let documents = Documents()
    let (response, page) = try await visit(documents)
    #expect(response.status == 200 && response["content-type"] == "text/html; charset=utf-8")
    #expect(page.contains("was signed and sealed here") && page.contains("2026-03-01 08:30:00 UTC"), "\(page)")
    #expect(page.contains("CN=Seal of &lt;Heart&gt; &amp; Co") && page.contains("B-T: "))
    #expect(
      page.contains(Documents.id) && page.contains("sha256sum FILE.pdf") && page.contains("assent verify FILE.pdf"))
    #expect(!page.contains("<script") && !page.contains("src=") && !page.contains("style=\""))
    let policy = try #require(response["content-security-policy"])
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
    #expect(response["cache-control"] == "no-store" && response["referrer-policy"] == "no-referrer")
    #expect(response["x-robots-tag"] == "noindex" && response["vary"]?.contains("accept-language") == true)
    #expect(documents.callers.withLock { $0.map(\.kind) } == [.stranger])
    // What a screen reader needs: language, one heading of the first level, a label for the field.
    #expect(page.contains("<html lang=\"en\" dir=\"ltr\">") && page.ranges(of: "<h1>").count == 1)
    #expect(page.contains("<label for=\"sum\">") && page.contains("<input id=\"sum\""))
  }

  @Test("where there are elements, one checks the file, around the form for browsers in which it cannot run")
  func element() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Array("export {}".utf8), to: "\(folder.path)/verify-ABCDEFGH.js")
    let web = try WebFiles(in: folder.path, evidenceKeys: ["00ff", "<key>"])
    let (response, page) = try await visit(Documents(), web: web)
    #expect(page.contains("<script type=\"module\" src=\"/verify-ABCDEFGH.js\"></script>"), "\(page)")
    let element = "<assent-verify identifier=\"\(Documents.id)\" keys=\"00ff &lt;key&gt;\">"
    let parts = try #require(page.firstRange(of: element))
    #expect(page[parts.upperBound...].contains("<input id=\"sum\""))
    let policy = try #require(response["content-security-policy"])
    for rule in ["default-src 'none'", "script-src 'self'", "trusted-types 'none'", "frame-ancestors 'none'"] {
      #expect(policy.contains(rule))
    }
    #expect(!policy.contains("unsafe"))
    let (bare, place) = try await visit(Documents(), "/verify/", web: web)
    #expect(bare.status == 200 && place.contains("<assent-verify identifier=\"\""))
    let unknown = "/verify/t1.\(String(repeating: "00", count: 16))"
    #expect(try await visit(Documents(), unknown, web: web).response.status == 404)
  }

  @Test("says some time of sealing, whatever the service says", arguments: [Int64.min, -1, .max])
  func times(seconds: Int64) async throws {
    let (response, page) = try await visit(Documents { $0.copy?.sealedAt = Timestamp(seconds: seconds) })
    #expect(response.status == 200 && page.contains("<time datetime="), "\(page)")
  }

  @Test(
    "speaks the visitor's language where it has it",
    arguments: [
      ("de-AT,de;q=0.9,en;q=0.5", "de"), ("en-GB,de;q=0.9", "en"), ("xx,de;q=0.1", "de"), ("xx", "en"), ("", "en"),
      ("de;q=0,en;q=0.1", "en"), (",;q=1,de;q=x", "de"), ("fr-CA", "fr"), ("es", "es"), ("zh-CN,zh;q=0.9", "zh"),
      ("ja", "ja"), ("ar-EG", "ar"),
    ])
  func languages(wish: String, language: String) async throws {
    let (response, page) = try await visit(Documents(), headers(wish))
    #expect(response["content-language"] == language)
    #expect(page.contains("<html lang=\"\(language)\" dir=\"\(language == "ar" ? "rtl" : "ltr")\">"))
    #expect(page.contains("signed") == (language == "en"))
    #expect(page.contains("unterschrieben") == (language == "de"))
  }

  private func headers(_ wish: String) -> [(String, String)] { wish.isEmpty ? [] : [("Accept-Language", wish)] }

  private func visit(
    _ documents: Documents, _ headers: [(String, String)]
  ) async throws -> (response: HTTPResponse, page: String) {
    try await visit(documents, "/verify/\(Documents.id)", headers)
  }

  @Test(
    "compares a file by its SHA-256, as the usual programs print it",
    arguments: [
      (Documents.sum, "unchanged"), (Documents.sum.uppercased(), "unchanged"),
      ("+%20\(Documents.sum)%20+FILE.pdf", "unchanged"),
      (String(repeating: "00", count: 32), "another one"), ("abc", "no SHA-256"), ("", "Compare"),
      ("%22%3E%3Cb%3E", "&quot;&gt;&lt;b&gt;"), ("%zz", "Compare"),
    ])
  func comparing(sum: String, words: String) async throws {
    let documents = Documents()
    let (response, page) = try await visit(documents, "/verify/\(Documents.id)?sha256=\(sum)")
    #expect(response.status == 200 && page.contains(words), "\(page)")
    #expect(!page.contains("<b>"))
    let asked = documents.asked.withLock { $0 }
    #expect(asked.count == 1 && asked.allSatisfy { $0.sha256.isEmpty || $0.sha256.utf8.count == 64 })
  }

  @Test("says of what was erased, or is older, or not sealed yet, what it is")
  func states() async throws {
    let cases: [(String, (inout CheckSignedCopyResponse) -> Void)] = [
      ("were erased since", { $0.erased = true }),
      ("What it could be compared with was erased", { $0.comparison = .erased }),
      ("as it was before more proof", { $0.comparison = .earlier }),
      ("is not sealed yet", { $0.copy = SignedCopy(state: .sealing, verificationID: Documents.id) }),
      // A file was handed out, and the next one is being made.
      ("was signed and sealed here", { $0.copy?.state = .signing }),
      ("was signed and sealed here", { $0.copy?.state = .sealing }),
      ("was signed and sealed here", { $0.copy?.state = .failed }),
      ("Others had still to sign", { $0.participantCopy = true }),
    ]
    for (words, change) in cases {
      let (response, page) = try await visit(Documents(change))
      #expect(response.status == 200 && page.contains(words), "\(words)")
    }
  }

  @Test(
    "knows nothing of other identifiers, and of what is none it asks nobody",
    arguments: [
      ("t1.\(String(repeating: "00", count: 16))", 1), ("", 0), ("%22%3Cscript%3E", 0), ("a/b", 0), ("%zz", 0),
      (String(repeating: "a", count: 200), 0),
    ])
  func unknown(id: String, calls: Int) async throws {
    let documents = Documents()
    let (response, page) = try await visit(documents, "/verify/\(id)")
    #expect(response.status == 404 && page.contains("There is no document with this identifier"))
    #expect(!page.contains("<script"))
    #expect(documents.asked.withLock(\.count) == calls)
  }

  @Test("asks people to come back while nobody can answer, takes no POST, and answers a HEAD")
  func others() async throws {
    var limits = DoorLimits()
    limits.times.single = .milliseconds(200)
    let bench = try HTTPBench(limits: limits)
    let path = "/verify/\(Documents.id)"
    let (response, body) = await bench.answer(HTTPBench.head("GET", path))
    #expect(
      [501, 503, 504].contains(response.status) && body.text.contains("cannot be said at the moment"),
      "\(response.status)")
    #expect(try await visit(Documents(), path, method: "POST").response.status == 405)
    #expect(try await visit(Documents(), path, method: "HEAD").response.status == 200)
    let record = try #require(bench.finished.last)
    #expect(record.path.hasSuffix("/CheckSignedCopy") && record.account.isEmpty)
  }
}
