import Base
import Testing

@Suite struct WaitingLineTests {
  @Test("first in, first out, one by one and several at a time") func order() {
    var line = WaitingLine<Int>()
    for number in 0..<1000 { line.append(number) }
    #expect(line.popFirst() == 0)
    #expect(line.pop(3) == [1, 2, 3])
    line.append(1000)
    #expect(line.count == 997)
    #expect(line.pop(5000) == Array(4...1000))
    #expect(line.popFirst() == nil)
    #expect(line.pop(2) == [])
    #expect(line.isEmpty)
  }

  @Test("a line that is never empty stores little more than the waiting elements") func kept() {
    var line = WaitingLine<Int>()
    line.append(0)
    line.append(1)
    for number in 2..<100_000 {
      line.append(number)
      #expect(line.popFirst() == number - 2)
      #expect(line.kept <= 128)
    }
  }
}
