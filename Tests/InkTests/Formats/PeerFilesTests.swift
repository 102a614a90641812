import Base
import Ink
import TestSupport
import Testing

/// Small files in the formats of other programs. Ours hold one signature: a wave, a bar and a dot. The last file was
/// written by Wacom's library.
@Suite("Files of other programs") struct PeerFilesTests {
  struct Peer: CustomTestStringConvertible, Sendable {
    let name: String
    let format: InkFormat
    var counts = [16, 7, 1]

    var testDescription: String { name }

    func bytes() throws -> [UInt8] { try Files.read(Repository.path("Tests/Fixtures/ink/\(name)")) }
  }

  static let peers = [
    Peer(name: "signature_pad-2.json", format: .json), Peer(name: "signature_pad-3.json", format: .json),
    Peer(name: "signature_pad-4.json", format: .json),
    Peer(name: "signature_pad-5.json", format: .json, counts: [16, 7, 3, 1]),
    Peer(name: "perfect-freehand.json", format: .json), Peer(name: "perfect-freehand-times.json", format: .json),
    Peer(name: "tablet.svc.txt", format: .svc), Peer(name: "notes.inkml", format: .inkML),
    Peer(name: "series.iso19794-7", format: .iso19794), Peer(name: "wacom.uim", format: .universalInk, counts: [8, 3]),
  ]

  @Test("each is recognised, read and drawn", arguments: peers)
  func read(peer: Peer) throws {
    let file = try peer.bytes()
    #expect(InkFormat(detecting: file) == peer.format)
    let ink = try Ink.read(file)
    #expect(try Ink.read(file, as: peer.format) == ink)
    #expect(ink.strokes.map(\.points.count) == peer.counts)
    #expect(try StrokeBlob.read(StrokeBlob(ink).bytes) == ink)
    for format in [PictureFormat.png(.four), .svg, .pdf] {
      var options = RenderOptions()
      (options.format, options.frame) = (format, .trimmed(margin: 4))
      #expect(try Renderer().render(ink, options).bytes.count > 300)
    }
  }

  @Test("whatever units and axes a format counts in, it is the same signature", arguments: peers.dropLast())
  func same(peer: Peer) throws {
    func shape(_ ink: Ink) -> [[Double]] {
      let points = ink.strokes[0].points
      let width = points[points.count - 1].x - points[0].x
      return points.map { [($0.x - points[0].x) / width, ($0.y - points[0].y) / width] }
    }
    let reference = try Ink.read(Self.peers[2].bytes())
    let found = shape(try Ink.read(peer.bytes()))
    for (place, expected) in zip(found, shape(reference)) {
      #expect(abs(place[0] - expected[0]) < 0.001 && abs(place[1] - expected[1]) < 0.001, "\(place) \(expected)")
    }
    let times = try Ink.read(peer.bytes()).strokes[0].points.map(\.time)
    // perfect-freehand has points without times.
    guard peer.name != "perfect-freehand.json" else { return }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 30) < 1 })
  }

  @Test("written for a pad or as InkML and read again, it looks as before: nothing is filtered twice", arguments: peers)
  func again(peer: Peer) throws {
    let ink = try Ink.read(peer.bytes())
    let picture = try Renderer().render(ink).bytes
    for (written, format) in [(ink.signaturePadJSON(), InkFormat.json), (ink.inkML(), .inkML)] {
      let read = try Ink.read(written, as: format, canvas: ink.canvas)
      #expect(read.strokes.map(\.points.count) == peer.counts)
      #expect(try Renderer().render(read).bytes == picture, "\(format)")
    }
  }
}
