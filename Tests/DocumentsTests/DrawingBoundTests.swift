import Base
import Documents
import Synchronization
import Testing

/// Drawings of a few kilobytes that ask for the work of hours: each ends with an error that names it.
@Suite struct DrawingBoundTests {
  private static let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 160\">"

  private static func svg(_ inner: String) -> [UInt8] { Array("\(head)\(inner)</svg>".utf8) }

  /// Groups of which each uses the one before so often.
  private static func nested(_ part: String, times: Int, levels: Int = 7) -> [UInt8] {
    var text = "<g id=\"l0\">\(part)</g>"
    for level in 1...levels {
      text += "<g id=\"l\(level)\">\(String(repeating: "<use href=\"#l\(level - 1)\"/>", count: times))</g>"
    }
    return svg("<defs>\(text)</defs><use href=\"#l\(levels)\"/>")
  }

  private static func refusal(of svg: [UInt8]) -> DocumentError? {
    var allowance = DrawingAllowance()
    do throws(DocumentError) {
      _ = try VectorPicture(svg: svg, named: "bomb", within: &allowance)
      return nil
    } catch {
      return error
    }
  }

  private static let long = String(repeating: "1 2 ", count: 20_000)

  static let bombs: [(String, [UInt8])] = [
    ("shapes", nested("<path d=\"M0 0h9v9\"/>", times: 60)),
    ("nothing that is seen", nested(String(repeating: "<g/>", count: 2000), times: 60)),
    ("paths that are read and not painted", nested("<path fill=\"none\" d=\"M0 0 \(long)\"/>", times: 60)),
    ("long attributes", nested("<g stroke-dasharray=\"none\" class=\"\(long)\"/>", times: 60)),
    (
      "shapes that clip",
      svg(
        "<clipPath id=\"c\"><path d=\"M0 0 \(long)\"/></clipPath>"
          + String(repeating: "<path clip-path=\"url(#c)\" d=\"M0 0h1\"/>", count: 5000))
    ),
    ("symbols", nested("<symbol id=\"s\" class=\"\(long)\"></symbol><use href=\"#s\"/>", times: 60, levels: 6)),
    (
      "points of one shape",
      svg(
        "<polyline id=\"p\" points=\"\(long)\"/>" + String(repeating: "<use href=\"#p\"/>", count: 5000))
    ),
  ]

  @Test("a drawing that is small and takes very much to draw is refused", arguments: bombs.indices)
  func bomb(index: Int) {
    let (name, svg) = Self.bombs[index]
    #expect(svg.count < 512 << 10)
    #expect(Self.refusal(of: svg) == .drawingTooLarge(name: "bomb"), "\(name)")
  }

  @Test("a path that is closed again and again has no more steps than any other")
  func closed() {
    let refusal = Self.refusal(of: Self.svg("<path d=\"M0 0h9v9\(String(repeating: "Z", count: 200_000))\"/>"))
    #expect(refusal?.description.contains("has a path that cannot be read") == true, "\(refusal?.description ?? "")")
  }

  @Test("drawings share what a paper's may take")
  func shared() throws {
    // Some six hundred kilobytes of operators from eighty.
    let one = Self.svg(
      "<path id=\"p\" d=\"M0 0 \(Self.long)\"/>" + String(repeating: "<use href=\"#p\"/>", count: 2))
    var allowance = DrawingAllowance(DrawingAllowance.Cost(reading: 4 << 20, writing: 3 << 20))
    var drawn = 0
    var refusal: DocumentError?
    for number in 0..<40 where refusal == nil {
      do throws(DocumentError) {
        _ = try VectorPicture(svg: one, named: "\(number)", within: &allowance)
        drawn += 1
      } catch {
        refusal = error
      }
    }
    #expect((4...20).contains(drawn), "\(drawn)")
    #expect(refusal == .drawingTooLarge(name: "\(drawn)"))
  }

  @Test("a drawing that is shown too often is refused, also in the head of a table that each page repeats")
  func shown() throws {
    var allowance = DrawingAllowance()
    let drawing = try VectorPicture(
      svg: Self.svg("<path id=\"p\" d=\"M0 0 \(Self.long)\"/><use href=\"#p\"/><use href=\"#p\"/>"), named: "abc",
      within: &allowance)
    let image = "<img src=\"asset:abc\" alt=\"A drawing\" width=\"20\" height=\"20\">"
    let cell = "<tr><td><p>\(String(repeating: "words ", count: 2000))</p></td></tr>"
    for markup in [
      String(repeating: "<p>\(image)</p>", count: 200),
      "<table><thead><tr><th>\(image)</th></tr></thead><tbody>\(String(repeating: cell, count: 60))</tbody></table>",
    ] {
      var paper = try SamplePaper.paper(separate: markup)
      paper.drawings["abc"] = drawing
      let error = #expect(throws: DocumentError.self) { try SamplePaper.compose(paper) }
      #expect(error == .tooMuchToDraw(bound: 32), "\(error?.description ?? "")")
    }
  }

  @Test("nobody who has gone is drawn for")
  func stopped() {
    let looks = Atomic(0)
    let isOver: @Sendable () -> Bool = { looks.wrappingAdd(1, ordering: .relaxed).newValue > 3 }
    let plain = Self.svg(String(repeating: "<path d=\"M0 0h9v9\"/>", count: 15_000))
    for svg in [plain] + Self.bombs.map(\.1) {
      looks.store(0, ordering: .relaxed)
      var allowance = DrawingAllowance(isOver: isOver)
      #expect(throws: DocumentError.stopped) { try VectorPicture(svg: svg, named: "bomb", within: &allowance) }
      #expect(looks.load(ordering: .relaxed) == 4)
    }
  }

  @Test("groups in groups, each of them used, are drawn as deep as they may stand")
  func deep() {
    let groups = String(repeating: "<g>", count: 100) + "<path d=\"M0 0h9v9\"/>" + String(repeating: "</g>", count: 100)
    #expect(Self.refusal(of: Self.nested(groups, times: 1)) == nil)
  }
}
