import Base
import Glibc
import Testing

@testable import ServiceKit

@Suite struct LogSinkTests {
  private func event(_ number: Int, fields: Int = 1) -> LogEvent {
    LogEvent(
      time: Instant(millisecondsSince1970: 0), level: .info, event: "line",
      fields: (0..<fields).map { _ in LogField("n", .text("\(number)" + String(repeating: "x", count: 200))) })
  }

  private func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  private func readLines(_ descriptor: Int32) -> [String] {
    var splitter = LineSplitter()
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return lines }
      lines += splitter.lines(completedBy: buffer[..<count])
    }
  }

  @Test("lines written by many threads at once stay whole")
  func untorn() async {
    let (reading, writing) = makePipe()
    let sink = LogSink(descriptor: writing)
    let reader = Task.detached { readLines(reading) }
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            sink.write(event(writer * 1000 + number))
            await Task.yield()
          }
        }
      }
    }
    close(writing)
    let lines = await reader.value
    close(reading)
    for line in lines where !line.contains("dropped") {
      #expect(line.hasPrefix("time=1970-01-01T00:00:00.000Z level=info event=line n=") && line.hasSuffix("xxx"))
    }
    #expect(!lines.isEmpty)
  }

  @Test("a reader that stops reading blocks no writer, and learns later how many lines it missed")
  func stuckReader() throws {
    let (reading, writing) = makePipe()
    let sink = LogSink(descriptor: writing)
    for number in 0..<2000 { sink.write(event(number)) }
    var buffer = [UInt8](repeating: 0, count: 65536)
    var kept = 0
    var splitter = LineSplitter()
    while kept == 0 {
      kept += splitter.lines(completedBy: buffer[..<(unsafe read(reading, &buffer, buffer.count))]).count
    }
    sink.write(event(2000))
    close(writing)
    let rest = readLines(reading)
    close(reading)
    let note = try #require(rest.first { $0.contains("log lines dropped") })
    let dropped = try #require(Int(note.split(separator: "=").last ?? ""))
    #expect(kept + (rest.count - 2) + dropped == 2000)
    #expect(rest.last?.contains("n=2000x") == true)
  }

  @Test("lines of other programs are passed on, and cut to what a pipe takes at once")
  func foreignLines() {
    let (reading, writing) = makePipe()
    let sink = LogSink(descriptor: writing)
    let long = String(repeating: "x", count: 5000)
    for line in ["a crash", long] { sink.pass(on: line, at: Instant(millisecondsSince1970: 0)) }
    close(writing)
    #expect(readLines(reading) == ["a crash", String(long.prefix(4095))])
    close(reading)
  }

  @Test("an event with too many fields keeps its name and says how many are missing")
  func oversized() {
    let (reading, writing) = makePipe()
    LogSink(descriptor: writing).write(event(1, fields: 100))
    close(writing)
    #expect(readLines(reading) == ["time=1970-01-01T00:00:00.000Z level=info event=line fields_dropped=100"])
    close(reading)
  }
}
