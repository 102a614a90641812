import Base
import Ink
import InkSamples
import Pictures
import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing
import Wire

/// An image of a signature in place of a drawing.
@Suite(.timeLimit(.minutes(2))) struct UploadTests {
  static let settings: FieldSettings = {
    var settings = FieldSettings(header: "Participant", required: true)
    settings.uploadAllowed = true
    return settings
  }()

  /// A scan: ink on white paper with wide margins.
  static func scan(_ format: PictureFormat) throws -> [UInt8] {
    var options = RenderOptions()
    (options.format, options.frame) = (format, .trimmed(margin: 60))
    return try Renderer().render(SampleSignature.reference.ink, options).bytes
  }

  private func upload(_ content: [UInt8], in field: FieldDriver) async throws -> FieldView {
    let request = SaveUploadedImageRequest(
      fieldID: field.view.fieldID, expectedVersion: field.view.version, content: content,
      signingTime: SigningTime(at: Timestamp(nanos: 1_000_000), utcOffsetMinutes: 0))
    let view = try await field.client.saveUploadedImage(request).view
    return try #require(view)
  }

  @Test("a scan is cropped, kept in the vault and marked as uploaded", arguments: TestEngine.allCases)
  func kept(engine: TestEngine) async throws {
    let bench = try await SignatureBench(on: engine)
    for file in [try Self.scan(.png(.eight)), try Self.scan(.jpeg(quality: 85)), try Self.scan(.webp)] {
      var field = try await FieldDriver.create(bench.device(), settings: Self.settings, subject: "subject-9")
      try await field.tap()
      #expect(field.view.offered.contains(.saveUploaded))
      let view = try await upload(file, in: field)
      let saved = try #require(view.saved)
      #expect(saved.kind == .uploaded && saved.strokeCount == 0)
      let shapes = try Shapes.read(try await bench.blob(of: saved))
      var trimmed = RenderOptions()
      trimmed.frame = .trimmed(margin: 4)
      let cropped = try Renderer().render(SampleSignature.reference.ink, trimmed)
      #expect(abs(shapes.width - cropped.width) <= 4 && abs(shapes.height - cropped.height) <= 4)
      let answer = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
      #expect(answer.drawing == nil && answer.typed == nil)
      let event = try await bench.database.database.scope(.named("clinic")).read { [id = field.view.fieldID] in
        try $0.events(after: 0, stream: id, limit: 10).last.map { try FieldEvent(decoding: $0.payload) }
      }
      #expect(event?.kind == .uploaded && event?.signatureID == saved.signatureID)
      for format in [SignatureFormat.png, .svg, .pdf] {
        let picture = try await RenderServiceClient(bench.channel()).render(
          RenderRequest(
            source: .signatureID(saved.signatureID), settings: RenderSettings(format: format, inkColor: "#000080")))
        #expect(picture.width == Int32(shapes.width) && !picture.image.isEmpty)
      }
      let shown = try await RenderServiceClient(bench.channel()).render(
        RenderRequest(source: .signatureID(saved.signatureID), settings: view.savedImage?.settings))
      #expect(shown.etag == view.savedImage?.etag, "known before it is drawn")
      let file = await status {
        _ = try await bench.service.exportStrokes(
          ExportStrokesRequest(signatureID: saved.signatureID, format: .inkml))
      }
      #expect(file?.code == .failedPrecondition && file?.message.contains("names an image") == true)
    }
    let admin = SignatureServiceClient(bench.channel(.person, as: "root", grants: ["admin@*"]))
    let kept = try await bench.service.listFields(ListFieldsRequest(sessionID: "session-1")).views.compactMap(\.saved)
    #expect(kept.count == 3)
    _ = try await admin.eraseSignatures(EraseSignaturesRequest(subjectID: "subject-9", reason: "request"))
    for saved in kept {
      let gone = await status {
        _ = try await bench.service.getStrokes(GetStrokesRequest(signature: .signatureID(saved.signatureID)))
      }
      #expect(gone?.code == .failedPrecondition && gone?.message.contains("erased") == true)
    }
  }

  @Test("bombs, garbage and images of nothing are refused with the reason, and the field stays as it was")
  func refused() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device(), settings: Self.settings)
    try await field.tap()
    var bomb = try Self.scan(.jpeg(quality: 80))
    let frame = try #require(bomb.indices.dropLast(9).first { bomb[$0] == 0xFF && bomb[$0 + 1] == 0xC0 })
    bomb.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
    var pngBomb = try Self.scan(.png(.one))
    pngBomb.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
    let whole = try Self.scan(.jpeg(quality: 80))
    let blank = try #require(
      JPEG.encode(Bitmap(width: 40, height: 40, rgba: [UInt8](repeating: 255, count: 6400)), quality: 90))
    for (content, words) in [
      ([], "content has 0 bytes"), ([UInt8](repeating: 0, count: (4 << 20) + 1), "content has 4194305 bytes"),
      (Array("GIF89a".utf8), "neither PNG nor JPEG"),
      ([0, 0, 0, 24] + Array("ftypheic\0\0\0\0".utf8), "have the phone save or send it as JPEG"),
      (bomb, "60000 × 60000"), (pngBomb, "60000 × 60000"),
      (Array(whole.prefix(whole.count / 2)), "cannot be read"), (blank, "shows no ink"),
    ] {
      let refusal = await status { [field] in _ = try await upload(content, in: field) }
      #expect(
        refusal?.code == .invalidArgument && refusal?.message.contains(words) == true,
        "\(words): \(String(describing: refusal))")
    }
    let version = field.view.version
    try await field.refresh()
    #expect(field.view.version == version && field.view.state == .active)
  }

  @Test("a photograph is taken as it is seen, however the camera was held", arguments: 1...8)
  func orientation(number: Int) throws {
    let (width, height) = (64, 96)
    /// An L.
    func isInk(_ x: Int, _ y: Int) -> Bool {
      (16..<24).contains(x) && (16..<80).contains(y) || (16..<48).contains(x) && (72..<80).contains(y)
    }
    let (rawWidth, rawHeight) = number < 5 ? (width, height) : (height, width)
    var rgba = [UInt8](repeating: 255, count: rawWidth * rawHeight * 4)
    for y in 0..<height {
      for x in 0..<width where isInk(x, y) {
        let (column, row) =
          switch number {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (y, width - 1 - x)
          case 7: (height - 1 - y, width - 1 - x)
          case 8: (height - 1 - y, x)
          default: (x, y)
          }
        let place = (row * rawWidth + column) * 4
        rgba.replaceSubrange(place..<(place + 3), with: [0, 0, 0])
      }
    }
    let plain = try #require(JPEG.encode(Bitmap(width: rawWidth, height: rawHeight, rgba: rgba), quality: 90))
    let exif: [UInt8] =
      [0xFF, 0xE1, 0, 34] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
      + [UInt8(number), 0, 0, 0, 0, 0, 0, 0]
    let shapes = try UploadedImage.shapes(of: Array(plain.prefix(2)) + exif + plain.dropFirst(2))
    #expect(abs(shapes.width - 40) <= 1 && abs(shapes.height - 72) <= 1, "\(shapes.width) × \(shapes.height)")
    // Its corner is at the bottom on the left.
    let left = shapes.contours.joined().filter { $0.x < 8 * 16 }.map(\.y)
    #expect(shapes.contours.count == 1 && left.min() ?? 0 < 8 * 16 && left.max() ?? 0 > 60 * 16)
    let right = shapes.contours.joined().filter { $0.x > 24 * 16 }.map(\.y)
    #expect(right.min() ?? 0 > 50 * 16)
  }

  /// A scan as it lies on a desk, askew by about six degrees.
  private static func onDesk(_ desk: UInt8) throws -> [UInt8] {
    let scan = try JPEG.decode(scan(.jpeg(quality: 90)), limit: 1_000_000)
    let (width, height) = (scan.width * 3 / 2, scan.height * 2)
    var rgba: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (across, down) = (x - width / 2, y - height / 2)
        let column = across + down / 10 + scan.width / 2, row = down - across / 10 + scan.height / 2
        let isPaper = (0..<scan.width).contains(column) && (0..<scan.height).contains(row)
        let place = (row * scan.width + column) * 4
        rgba += isPaper ? Array(scan.rgba[place..<place + 4]) : [desk, desk, desk, 255]
      }
    }
    return try #require(JPEG.encode(Bitmap(width: width, height: height, rgba: rgba), quality: 90))
  }

  @Test("a photograph of a sheet on a desk is straightened, or refused with the advice")
  func desk() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    var field = try await FieldDriver.create(bench.device(), settings: Self.settings)
    try await field.tap()
    let bright = try Self.onDesk(222)
    let refusal = await status { [field] in _ = try await upload(bright, in: field) }
    #expect(refusal?.code == .invalidArgument && refusal?.message.contains("lay it on something darker") == true)
    let view = try await upload(try Self.onDesk(70), in: field)
    let shapes = try Shapes.read(try await bench.blob(of: view.saved))
    var trimmed = RenderOptions()
    trimmed.frame = .trimmed(margin: 4)
    let cropped = try Renderer().render(SampleSignature.reference.ink, trimmed)
    #expect(abs(shapes.width - cropped.width) * 20 <= cropped.width, "\(shapes.width) × \(shapes.height)")
    #expect(abs(shapes.height - cropped.height) * 20 <= cropped.height, "\(shapes.width) × \(shapes.height)")
  }

  @Test("an upload is refused where the field does not allow it, and once something is drawn")
  func notOffered() async throws {
    let bench = try await SignatureBench(on: .sqlite)
    let file = try Self.scan(.png(.four))
    var closed = try await FieldDriver.create(bench.device())
    try await closed.tap()
    var drawn = try await FieldDriver.create(bench.device(), settings: Self.settings)
    try await drawn.tap()
    try await drawn.draw(SampleSignature.reference.ink.strokes)
    for field in [closed, drawn] {
      let refusal = await status { _ = try await upload(file, in: field) }
      #expect(refusal?.code == .failedPrecondition && refusal?.message.contains("'save_uploaded'") == true)
    }
  }
}
