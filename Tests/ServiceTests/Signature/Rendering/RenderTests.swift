import Base
import Bus
import Ink
import InkSamples
import RPC
import SignatureContract
import SignatureService
import StorageTestKit
import Testing

/// RenderService over the bus, without any database.
@Suite(.timeLimit(.minutes(2))) struct RenderTests {
  private let client: RenderServiceClient

  init() {
    let bus = InProcessBus()
    bus.serve([SignatureBench.render(from: NoSignatures())]) { error, _, method in
      Issue.record("\(method.name) failed unexpectedly: \(error)")
    }
    client = RenderServiceClient(bus.channel(for: CallerIdentity(kind: .device, tenant: "clinic")))
  }

  private let ink = SampleSignature.reference.ink

  @Test("strokes and their stored form give the same picture with the same tag, which is Ink's own")
  func sources() async throws {
    let drawn = try await client.render(RenderRequest(source: .drawing(InkDrawing(ink))))
    let stored = try await client.render(RenderRequest(source: .blob(StrokeBlob(ink).bytes)))
    #expect(drawn == stored)
    #expect(try Renderer().render(ink).bytes == drawn.image)
    #expect(drawn.etag == Renderer.key(strokes: StrokeBlob(ink).hash, RenderOptions()).hex)
    #expect(drawn.mediaType == "image/png" && drawn.width == 600 && drawn.height == 200)
  }

  @Test("every setting reaches Ink")
  func settings() async throws {
    var settings = RenderSettings()
    settings.look = .ink1
    settings.bitDepth = 8
    settings.penWidth = 5
    settings.inkColor = "#102030"
    settings.paperColor = "transparent"
    settings.trim = true
    settings.trimMargin = 16
    settings.scale = 2
    settings.dotsPerInch = 300
    settings.rotation = 90
    var options = RenderOptions()
    options.look = .ink1
    options.format = .png(.eight)
    options.penWidth = 5
    options.ink = Color(red: 0x10, green: 0x20, blue: 0x30)
    options.paper = nil
    options.frame = .trimmed(margin: 16)
    options.size = .scale(2)
    options.dotsPerInch = 300
    options.rotation = .right
    #expect(try RenderOptions(settings) == options)
    let picture = try await client.render(RenderRequest(source: .drawing(InkDrawing(ink)), settings: settings))
    #expect(try Renderer().render(ink, options).bytes == picture.image)

    settings = RenderSettings()
    settings.format = .svg
    (settings.width, settings.height) = (300, 100)
    let svg = try await client.render(RenderRequest(source: .drawing(InkDrawing(ink)), settings: settings))
    #expect(svg.mediaType == "image/svg+xml" && svg.width == 300 && svg.image.starts(with: "<svg".utf8))

    // The size of a page is in points, of which an inch has 72.
    settings = RenderSettings(format: .pdf, dotsPerInch: 300)
    let pdf = try await client.render(RenderRequest(source: .drawing(InkDrawing(ink)), settings: settings))
    #expect(pdf.mediaType == "application/pdf" && pdf.image.starts(with: "%PDF-".utf8))
    #expect(pdf.width == 144 && pdf.height == 48)
    #expect(String(decoding: pdf.image, as: UTF8.self).contains("/MediaBox[0 0 144 48]"))
  }

  @Test("a caller who has the picture does not get it again; another setting is another picture")
  func notModified() async throws {
    var request = RenderRequest(source: .blob(StrokeBlob(ink).bytes))
    let first = try await client.render(request)
    request.ifNoneMatch = first.etag
    let again = try await client.render(request)
    #expect(again.notModified && again.image.isEmpty && again.etag == first.etag)
    request.settings = RenderSettings(inkColor: "#000080")
    let other = try await client.render(request)
    #expect(!other.notModified && other.etag != first.etag && !other.image.isEmpty)
  }

  @Test("strokes that cannot be drawn are refused with the field, the value and the bound")
  func refusals() async throws {
    let drawing = InkDrawing(ink)
    func message(_ request: RenderRequest) async -> String {
      let refusal = await status { _ = try await client.render(request) }
      #expect(refusal?.code == .invalidArgument)
      return refusal?.message ?? ""
    }
    #expect(await message(RenderRequest()).contains("source is missing"))
    var nan = drawing
    nan.strokes[1].x[2] = .nan
    #expect(await message(RenderRequest(source: .drawing(nan))).contains("strokes[1].points[2].x is NaN"))
    var uneven = drawing
    uneven.strokes[0].pressure = [0.5]
    #expect(await message(RenderRequest(source: .drawing(uneven))).contains("drawing.strokes[0].pressure has 1 values"))
    #expect(await message(RenderRequest(source: .drawing(InkDrawing()))).contains("at least one point"))
    #expect(await message(RenderRequest(source: .blob([1, 2, 3]))).contains("blob"))
    let point = InkStroke(x: [1], y: [1])
    let many = InkDrawing(strokes: Array(repeating: point, count: 201))
    #expect(await message(RenderRequest(source: .drawing(many))).contains("at most 200 strokes"))

    let settings: [(RenderSettings, String)] = [
      (RenderSettings(bitDepth: 3), "settings.bit_depth is 3; a PNG has 1, 4 or 8 bits a pixel"),
      (RenderSettings(format: .unrecognized(9)), "settings.format is 9"),
      (RenderSettings(look: .unrecognized(9)), "settings.look is 9"),
      (RenderSettings(penWidth: 1000), "settings.pen_width is 1000.0"),
      (RenderSettings(inkColor: "red"), "settings.ink_color is 'red'; a colour is written as #rrggbb"),
      (RenderSettings(scale: .infinity), "settings.scale is inf"),
      (RenderSettings(scale: 2, width: 10, height: 10), "settings.scale is set together with width and height"),
      (RenderSettings(width: 5000, height: 10), "settings.width is 5000"),
      (RenderSettings(scale: 50), "is 30000; a picture is between 1 and 4096 pixels"),
      (RenderSettings(rotation: 45), "settings.rotation is 45; a canvas turns by 0, 90, 180 or 270 degrees"),
      (RenderSettings(dotsPerInch: -5), "settings.dots_per_inch is -5.0"),
    ]
    for (settings, words) in settings {
      let text = await message(RenderRequest(source: .drawing(drawing), settings: settings))
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("a dot, a stroke of two points and an initial are signatures")
  func tiny() async throws {
    for (x, y) in [([5.0], [5.0]), ([5.0, 5.0], [5.0, 5.0]), ([1, 2, 3], [3, 1, 3])] {
      let picture = try await client.render(
        RenderRequest(source: .drawing(InkDrawing(strokes: [InkStroke(x: x, y: y)]))))
      #expect(!picture.image.isEmpty)
    }
  }

  @Test("a batch answers every request once, with picture or error, in any order")
  func batch() async throws {
    let call = client.renderBatch()
    let pictures = SampleSignature.all
    let sending = Task {
      for (index, sample) in pictures.enumerated() {
        let render = RenderRequest(source: .blob(StrokeBlob(sample.ink).bytes))
        try await call.requests.send(RenderBatchRequest(id: "\(index)", render: render))
      }
      try await call.requests.send(RenderBatchRequest(id: "bad", render: RenderRequest(source: .blob([0]))))
      try await call.requests.send(RenderBatchRequest(id: "empty"))
      call.requests.finish()
    }
    var outcomes: [String: RenderBatchResponse.Outcome] = [:]
    for try await response in call.responses {
      #expect(outcomes.updateValue(try #require(response.outcome), forKey: response.id) == nil)
    }
    try await sending.value
    #expect(outcomes.count == pictures.count + 2)
    for (index, sample) in pictures.enumerated() {
      guard case .picture(let picture) = outcomes["\(index)"] else {
        Issue.record("no picture for \(index)")
        continue
      }
      #expect(try Renderer().render(sample.ink).bytes == picture.image)
    }
    for id in ["bad", "empty"] {
      guard case .failure(let failure) = outcomes[id] else {
        Issue.record("\(id) did not fail")
        continue
      }
      #expect(failure.code == Int32(StatusCode.invalidArgument.rawValue))
    }
  }

  @Test("a process without a database gets saved strokes from one that has it, for the caller")
  func remote() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let bus = InProcessBus()
    bus.serve([SignatureHandlers(data: bench.data, pictures: SignatureBench.maker())])
    bus.serve([SignatureBench.render(from: RemoteSignatures(channel: bus.channel()))])
    let identity = CallerIdentity(kind: .device, tenant: "clinic", subject: "tablet-7")
    let field = try await FieldDriver.signed(SignatureServiceClient(bus.channel(for: identity)))
    let request = RenderRequest(source: .signatureID(try #require(field.view.saved).signatureID))
    let picture = try await RenderServiceClient(bus.channel(for: identity)).render(request)
    #expect(picture.etag == (try await RenderServiceClient(bench.channel()).render(request)).etag)
    let stranger = RenderServiceClient(bus.channel(for: CallerIdentity(kind: .device, tenant: "elsewhere")))
    #expect(await status { _ = try await stranger.render(request) }?.code == .notFound)
  }
}

/// For a process without saved signatures.
struct NoSignatures: SavedSignatures {
  func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject {
    throw Status(.notFound, "there is no saved signature '\(signatureID)'")
  }
}
