import Base
import Bus
import Documents
import Ink
import InkSamples
import Pictures
import RPC
import Sealing
import ServicePolicy
import SignatureContract
import SignatureService
import Synchronization
import TestSupport
import Testing
import Wire

/// Documents over the bus: laid out here, sealed by a process that learns nothing but a hash, checked by anybody.
@Suite("Documents over the bus") struct PaperTests {
  private let bus = InProcessBus()

  private func channel(_ kind: CallerKind = .service) -> BusChannel {
    let identity = CallerIdentity(kind: kind, tenant: "t1", subject: "consent")
    return kind == .service ? bus.channel().acting(for: identity) : bus.channel(for: identity)
  }

  private var papers: PaperServiceClient { PaperServiceClient(channel()) }
  private var seals: SealServiceClient { SealServiceClient(channel()) }

  private static func paper() throws -> Paper {
    let blob = StrokeBlob(SampleSignature.all[3].ink).bytes
    return Paper(
      title: "Consent to the heart study", language: "en", sheet: .a4,
      sections: [PaperSection(heading: "What happens", html: "<p>We measure your <b>pulse</b>.</p>")],
      signatureTitle: "Signatures",
      signatures: [
        PaperSignature(
          title: "Participant", role: "Participant", meaning: "I agree.", printedName: "Ada Lovelace",
          printedTime: "2026-03-01 09:30:00 UTC+01:00", image: .blob(blob), showsImage: true, showsName: true),
        PaperSignature(
          title: "Investigator", printedName: "Ines Ito", printedTime: "2026-03-01 10:30:00 UTC+01:00",
          image: .typed(TypedName(text: "Ines Ito")), showsImage: true, showsName: true),
      ],
      createdAt: Timestamp(seconds: 1_772_353_800), verificationAddress: "https://consent.example.org/v/1",
      sealable: true)
  }

  private func compose(_ change: (inout Paper) -> Void = { _ in }) async throws -> [UInt8] {
    var paper = try Self.paper()
    change(&paper)
    return try await papers.composeDocument(ComposeDocumentRequest(paper: paper), deadline: .seconds(180)).content
  }

  @Test("a paper becomes the same file each time, is sealed by its hash alone, and is valid to whoever trusts the key")
  func sealing() async throws {
    let key = try SealBench.key()
    bus.serve([SealBench.papers(trusting: [key.certificate]), try SealBench.seals(key)])
    let pdf = try await compose()
    #expect(pdf.starts(with: Array("%PDF-1.7".utf8)))
    let again = try await compose()
    #expect(pdf == again)
    let draft = try SealDraft(pdf, SealRequest(), at: Clock.system.now)
    let seal = try await seals.sealDocument(SealDocumentRequest(digest: draft.digest))
    #expect(seal.level == "B-B" && seal.timeProblem.isEmpty && seal.sealedBy.contains("Test seal"))
    let sealed = try draft.complete(with: seal.signature)
    let device = PaperServiceClient(channel(.device))
    let valid = try await device.verifyDocument(VerifyDocumentRequest(content: sealed))
    #expect(
      valid.verdict == .totalPassed && valid.report.hasPrefix("{\"verdict\":\"TOTAL-PASSED\"") && !valid.lines.isEmpty)
    var altered = sealed
    altered[altered.count / 3] ^= 1
    let broken = try await device.verifyDocument(VerifyDocumentRequest(content: altered))
    #expect(broken.verdict != .totalPassed)
    #expect(try await device.verifyDocument(VerifyDocumentRequest(content: pdf)).verdict == .indeterminate)
    #expect(try await device.verifyDocument(VerifyDocumentRequest(content: [1, 2, 3])).verdict == .indeterminate)
  }

  @Test("uploaded images, and words below strokes and names, stand on a paper as outlines")
  func otherSignatures() async throws {
    bus.serve([SealBench.papers()])
    let words = Inscription(name: "Ada Lovelace", date: "2026-03-01", reason: "I agree")
    let ink = try Ink(
      validating: SampleSignature.all[3].ink.strokes, canvas: Canvas(width: 600, height: 200), inscription: words)
    let shapes = try Shapes(
      validating: [[[0, 0], [1600, 0], [1600, 800]]], width: 100, height: 50, inscription: words)
    let plain = try Ink(validating: ink.strokes, canvas: ink.canvas)
    var sizes: [Int] = []
    for image: PaperSignature.Image in [
      .blob(StrokeBlob(plain).bytes), .blob(StrokeBlob(ink).bytes), .blob(shapes.bytes),
      .typed(TypedName(text: "Ada")), .typed(TypedName(text: "Ada", inscription: InkInscription(words))),
    ] {
      sizes.append(try await compose { $0.signatures[0].image = image }.count)
    }
    #expect(sizes[1] > sizes[0] + 1000 && sizes[4] > sizes[3] + 1000, "\(sizes)")
    let broken = Array(shapes.bytes.dropLast())
    await #expect(throws: Status.self) { try await compose { $0.signatures[0].image = .blob(broken) } }
  }

  @Test("without the installation's trust the caller's own certificates decide")
  func trust() async throws {
    let key = try SealBench.key()
    bus.serve([SealBench.papers(), try SealBench.seals(key)])
    let draft = try SealDraft(try await compose(), SealRequest(), at: Clock.system.now)
    let sealed = try draft.complete(
      with: try await seals.sealDocument(SealDocumentRequest(digest: draft.digest)).signature)
    #expect(try await papers.verifyDocument(VerifyDocumentRequest(content: sealed)).verdict == .indeterminate)
    let trusting = VerifyDocumentRequest(content: sealed, trustedCertificates: key.certificate.pem)
    #expect(try await papers.verifyDocument(trusting).verdict == .totalPassed)
    let lock = "-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n"
    let locked = VerifyDocumentRequest(
      content: sealed, trustedCertificates: Array("\(lock)-----END CERTIFICATE-----\n".utf8))
    do {
      _ = try await papers.verifyDocument(locked)
      Issue.record("read")
    } catch {
      #expect(error.code == .invalidArgument && error.message.hasPrefix("bad_certificate: "), "\(error)")
    }
  }

  @Test("an authority that is down leaves a seal without its time, which is added when it answers again")
  func time() async throws {
    let stamper = MoodyStamper(
      try KeyMaker.make(
        name: "Time", purpose: .timeStamping, from: Clock.system.now + .seconds(-60),
        until: Clock.system.now + .seconds(86_400), serial: [9]))
    bus.serve([try SealBench.seals(stamper: stamper)])
    stamper.isDown = true
    let digest = Digest(of: [1]).bytes
    let basic = try await seals.sealDocument(SealDocumentRequest(digest: digest))
    #expect(basic.level == "B-B" && !basic.timeProblem.isEmpty)
    let still = try await seals.addSealTime(AddSealTimeRequest(signature: basic.signature))
    #expect(still.level == "B-B" && !still.timeProblem.isEmpty && still.signature == basic.signature)
    stamper.isDown = false
    let timed = try await seals.addSealTime(AddSealTimeRequest(signature: basic.signature))
    #expect(timed.level == "B-T" && timed.timeProblem.isEmpty && timed.signature.count > basic.signature.count)
  }

  @Test("what cannot be laid out is refused, and says why")
  func refusals() async throws {
    bus.serve([SealBench.papers()])
    let cases: [(StatusCode, String, @Sendable (inout Paper) -> Void)] = [
      (.invalidArgument, "unknown_letter: paper: the document has characters", { $0.title = "A \u{10FFFD}" }),
      (.invalidArgument, "unknown_picture", { $0.sections[0].html = "<p><img src=\"asset:aa\" alt=\"x\"></p>" }),
      (.invalidArgument, "broken_picture", { $0.pictures = [PaperPicture(name: "aa", data: [0x89, 0x50])] }),
      (.invalidArgument, "malformed_markup", { $0.sections[0].html = "<p><b>never closed</p>" }),
      (
        .invalidArgument, "too_many_pages",
        {
          $0.marginPt = 144
          $0.sections[0].html = String(repeating: "<p>a</p>", count: 60_000)
        }
      ),
      (.invalidArgument, "document_too_large", { $0.header = String(repeating: "x", count: 7 << 20) }),
      (.invalidArgument, "too_many", { $0.signatures = Array(repeating: PaperSignature(), count: 65) }),
      (.invalidArgument, "out_of_bounds: paper.margin_pt", { $0.marginPt = 500 }),
      (.invalidArgument, "out_of_bounds: paper.created_at", { $0.createdAt = Timestamp(seconds: 253_402_300_800) }),
      (.invalidArgument, "bad_ink", { $0.signatures[0].image = .blob([1, 2, 3]) }),
      (.invalidArgument, "unknown_letter", { $0.signatures[0].image = .typed(TypedName(text: "\u{13000}")) }),
    ]
    for (code, rule, change) in cases {
      do {
        _ = try await compose(change)
        Issue.record("not refused: \(rule)")
      } catch let status as Status {
        #expect(status.code == code && status.message.hasPrefix(rule), "\(status) is not \(rule)")
      }
    }
  }

  @Test("a document that takes too long is refused and says so, and so is one whose caller has gone")
  func patience() throws {
    // Each look at the clock takes a tenth of a second.
    let looks = Atomic(0)
    let clock = Clock(
      wall: { Clock.system.now },
      monotonic: {
        MonotonicTime(nanoseconds: 0) + .milliseconds(100 * looks.wrappingAdd(1, ordering: .relaxed).newValue)
      })
    var paper = try Self.paper()
    paper.sections[0].html = String(repeating: "<p>A paragraph that has to be set.</p>", count: 200)
    let maker = PaperMaker(fonts: "/usr/share/fonts", patience: .seconds(5))
    do {
      _ = try maker.compose(paper, until: clock.monotonic + .seconds(60), clock)
      Issue.record("laid out")
    } catch let refusal as Refusal {
      #expect(refusal.status.code == .invalidArgument && refusal.rule == "takes_too_long", "\(refusal)")
    }
    #expect(looks.load(ordering: .relaxed) < 60, "it ends when its time does")
    do {
      _ = try maker.compose(paper, until: clock.monotonic + .seconds(2), clock)
      Issue.record("laid out")
    } catch let error as DocumentError {
      #expect(error == .stopped && error.status.code == .deadlineExceeded)
      #expect(error.status.message.hasPrefix("deadline_passed: paper: ") && error.status.details.count == 1)
    }
    #expect(looks.load(ordering: .relaxed) < 90)
    let patient = PaperMaker(fonts: "/usr/share/fonts", patience: .seconds(600))
    #expect(try !patient.compose(paper, until: clock.monotonic + .seconds(600), clock).isEmpty)
  }

  @Test("a file that takes too long to check is refused, and so is one that asks for too much work")
  func patienceOfChecks() async throws {
    let looks = Atomic(0)
    let clock = Clock(
      wall: { Clock.system.now },
      monotonic: {
        MonotonicTime(nanoseconds: 0) + .milliseconds(100 * looks.wrappingAdd(1, ordering: .relaxed).newValue)
      })
    let sealed = try await Sealer(key: SealBench.key(), nonce: { [1] })
      .seal(PlainPDF("One", "Two").bytes, at: Clock.system.now).bytes
    let verifier = DocumentVerifier(trusting: Trust(), at: Clock.system.now)
    let patient = PaperChecker(verifier: verifier, patience: .seconds(600))
    #expect(try patient.check(sealed, until: clock.monotonic + .seconds(600), clock).verdict == .indeterminate)
    for (patience, wait) in [(Duration.milliseconds(300), 600), (.seconds(600), 0)] {
      let checker = PaperChecker(verifier: verifier, patience: patience)
      let refusal = #expect(throws: Refusal.self) {
        try checker.check(sealed, until: clock.monotonic + .seconds(wait), clock)
      }
      #expect(refusal?.rule == "too_much_to_check" && refusal?.status.code == .invalidArgument)
    }
  }

  @Test("nobody waits behind a document whose caller has gone: its turn ends with the deadline")
  func deadline() async throws {
    bus.serve([SealBench.papers()], slots: 8)
    _ = try await compose()
    var paper = try Self.paper()
    paper.sections[0].html = String(
      repeating: "<p>A paragraph that has to be set, letter by letter.</p>", count: 12_000)
    let request = ComposeDocumentRequest(paper: paper)
    // As many as there are threads for what takes long, and more.
    for _ in 0..<3 {
      do {
        _ = try await papers.composeDocument(request, deadline: .milliseconds(200))
        Issue.record("laid out")
      } catch {
        #expect(error.code == .deadlineExceeded, "\(error)")
      }
    }
    let other = PaperServiceClient(
      bus.channel().acting(for: CallerIdentity(kind: .service, tenant: "t2", subject: "consent")))
    paper.sections[0].html = String(repeating: "<p>Enough for a turn of its own.</p>", count: 2200)
    let file = try await other.composeDocument(ComposeDocumentRequest(paper: paper), deadline: .seconds(60))
    #expect(!file.content.isEmpty)
  }

  @Test("a drawing in SVG becomes paths of the page, and one that cannot be shown says why")
  func drawings() async throws {
    bus.serve([SealBench.papers()])
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"><path d=\"M2 2 H38 V18 Z\" fill=\"#a00\"/></svg>"
    let shown: @Sendable (inout Paper) -> Void = {
      $0.sections[0].html = "<p>Seen:</p><p><img src=\"asset:aa\" alt=\"A red wedge\"></p>"
      $0.pictures = [PaperPicture(name: "aa", data: Array(svg.utf8))]
    }
    let file = try await compose(shown)
    let without = try await compose()
    #expect(file != without && !file.isEmpty)
    let cases: [(String, String)] = [
      ("no PNG, JPEG or SVG", "GIF89a"), ("cannot be shown", "<svg"), ("cannot be shown", "<p>words</p>"),
      ("has <text>", svg.replacing("<path", with: "<text>x</text><path")),
      ("at most 4194304", svg + String(repeating: " ", count: 4 << 20)),
    ]
    for (words, data) in cases {
      do {
        _ = try await compose { paper in
          shown(&paper)
          paper.pictures[0].data = Array(data.utf8)
        }
        Issue.record("shown: \(data.prefix(40))")
      } catch let status as Status {
        #expect(status.code == .invalidArgument && status.message.hasPrefix("broken_picture: "), "\(status)")
        #expect(status.message.contains(words), "\(status)")
      }
    }
  }

  @Test("a JPEG is shown as it is, and one whose picture cannot be read is refused, however whole it begins and ends")
  func jpegs() async throws {
    bus.serve([SealBench.papers()])
    var pixels: [UInt8] = []
    for place in 0..<(64 * 64) {
      pixels += [UInt8(place % 251), UInt8(place % 83), UInt8(place % 199), 255]
    }
    let jpeg = try #require(JPEG.encode(Bitmap(width: 64, height: 64, rgba: pixels), quality: 90))
    let shown: @Sendable ([UInt8]) -> @Sendable (inout Paper) -> Void = { data in
      { paper in
        paper.sections[0].html = "<p><img src=\"asset:aa\" alt=\"Spots\"></p>"
        paper.pictures = [PaperPicture(name: "aa", data: data)]
      }
    }
    #expect(try await !compose(shown(jpeg)).isEmpty)
    // Its frame and its end are there, and half of its picture is not.
    let cut = Array(jpeg.prefix(jpeg.count / 2)) + [0xFF, 0xD9]
    do {
      _ = try await compose(shown(cut))
      Issue.record("shown")
    } catch let status as Status {
      #expect(status.code == .invalidArgument && status.message.hasPrefix("broken_picture: "), "\(status)")
      #expect(status.message.contains("is a JPEG that cannot be read"), "\(status)")
    }
  }

  @Test("what proves a seal is not looked for where nobody could be asked")
  func proofs() async throws {
    bus.serve([try SealBench.seals()])
    let seal = try await seals.sealDocument(SealDocumentRequest(digest: Digest(of: [1]).bytes))
    do {
      _ = try await seals.findSealProofs(FindSealProofsRequest(signature: seal.signature))
      Issue.record("found")
    } catch {
      #expect(error.code == .failedPrecondition && error.message.hasPrefix("no_revocation_data: "), "\(error)")
    }
    for signature in [[], [UInt8](repeating: 0, count: 100_000)] {
      do {
        _ = try await seals.findSealProofs(FindSealProofsRequest(signature: signature))
        Issue.record("found")
      } catch {
        #expect(error.code == .invalidArgument, "\(error)")
      }
    }
  }

  @Test("an expired seal's certificate, and one that is not valid yet, seal nothing", arguments: [-2, 2])
  func validity(days: Int) async throws {
    let key = try SealBench.key(from: .seconds(days * 86_400), for: .seconds(3600))
    bus.serve([try SealBench.seals(key)])
    do {
      _ = try await seals.sealDocument(SealDocumentRequest(digest: Digest(of: [1]).bytes))
      Issue.record("sealed")
    } catch {
      #expect(error.code == .failedPrecondition && error.message.hasPrefix("seal_key_unusable: "), "\(error)")
    }
  }

  @Test("what is no hash is not sealed, and what is no seal gets no time")
  func garbage() async throws {
    bus.serve([try SealBench.seals(stamper: MoodyStamper(try SealBench.key()))])
    for digest in [[], [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0, count: 33)] {
      await #expect(throws: Status.self) { try await seals.sealDocument(SealDocumentRequest(digest: digest)) }
    }
    for signature in [[], [0x30], [UInt8](repeating: 0x30, count: 5000), [UInt8](repeating: 0, count: 100_000)] {
      do {
        let answer = try await seals.addSealTime(AddSealTimeRequest(signature: signature))
        #expect(!answer.timeProblem.isEmpty && answer.level == "B-B")
      } catch {
        #expect(error.code == .invalidArgument, "\(error)")
      }
    }
  }
}
