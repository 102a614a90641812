import Base
import Bus
import RPC
import Testing

@Suite struct PathTableTests {
  /// More paths than the table stores, many with the same length and the same last letters, and one spelt in two ways.
  private static let paths =
    (0..<300).map { "/p\($0 % 150).Service/\($0 < 150 ? "Method" : "M")" } + ["", "/a", "/\u{e9}", "/e\u{301}"]

  @Test("each path has the value that was set last, in whatever order they are looked up")
  func values() {
    var generator = SeededGenerator(seed: 1)
    var table = PathTable<Int>()
    var expected: [String: Int] = [:]
    for step in 0..<20_000 {
      let path = Self.paths[Int.random(in: 0..<Self.paths.count, using: &generator)]
      if step.isMultiple(of: 5) {
        table.set(path, step)
        expected[path] = step
      }
      #expect(table.value(of: path) == expected[path])
    }
  }
}
