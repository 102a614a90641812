/// One channel of a trace format: the meaning of its numbers.
struct InkMLChannel {
  let name: String
  /// Pixels, milliseconds or degrees for each of its units.
  var factor: Double
  let minimum: Double?
  let maximum: Double?

  init(_ attributes: [String: String]) {
    name = attributes["name"] ?? ""
    minimum = attributes["min"].flatMap { Double($0) }
    maximum = attributes["max"].flatMap { Double($0) }
    factor = Self.factor(of: name, units: attributes["units"] ?? "")
    if attributes["orientation"] == "-ve" { factor = -factor }
  }

  init(_ name: String) {
    self.init(["name": name])
  }

  /// Numbers counted `count` to a unit: `resolution` with units such as `1/cm`.
  mutating func set(resolution count: Double, units: String) {
    guard count > 0, units.hasPrefix("1/") else { return }
    factor = Self.factor(of: name, units: String(units.dropFirst(2))) / count
  }

  /// How many pixels one unit of this length has.
  static func pixels(of units: String) -> Double { factor(of: "X", units: units) }

  private static func factor(of name: String, units: String) -> Double {
    switch units {
    case "mm": 96 / 25.4
    case "cm": 96 / 2.54
    case "in": 96
    case "pt": 96 / 72
    case "pc": 16
    case "himetric": 96 / 2540
    case "s": 1000
    case "rad": 180 / 3.141_592_653_589_793
    default: 1
    }
  }
}

/// Reads the numbers of one trace. Each channel is explicit, or a difference, or a difference of differences, and stays
/// so until the text changes it.
struct InkMLTrace {
  private enum Coding { case explicit, difference, secondDifference }

  private struct State {
    var coding = Coding.explicit
    var value = 0.0
    var velocity = 0.0
    var acceleration = 0.0

    mutating func take(_ number: Double) -> Double {
      switch coding {
      case .explicit: value = number
      case .difference:
        velocity = number
        value += velocity
      case .secondDifference:
        acceleration = number
        velocity += acceleration
        value += velocity
      }
      return value
    }

    /// The next value when a point leaves the channel out: the value continues as before.
    mutating func repeated() -> Double {
      switch coding {
      case .explicit: value
      case .difference: take(velocity)
      case .secondDifference: take(acceleration)
      }
    }
  }

  private let text: [UInt8]
  private let path: String
  private var place = 0
  private var states: [State]

  init(_ text: [UInt8], channels: Int, path: String) {
    self.text = text
    self.path = path
    states = Array(repeating: State(), count: channels)
  }

  /// Calls `body` with the channels' values of each point; nil where a channel has none.
  mutating func forEachPoint(_ body: ([Double?]) throws(InkError) -> Void) throws(InkError) {
    var values: [Double?] = []
    while true {
      skipSpace()
      let mark = place < text.count ? text[place] : UInt8(ascii: ",")
      if mark == UInt8(ascii: ",") {
        if !values.isEmpty { try body(values + repeatElement(nil, count: states.count - values.count)) }
        values = []
        place += 1
        if place > text.count { return }
        continue
      }
      guard values.count < states.count else {
        throw failure("has more values in a point than the \(states.count) channels of its format")
      }
      values.append(try value(of: values.count))
    }
  }

  private mutating func value(of channel: Int) throws(InkError) -> Double? {
    switch text[place] {
    case UInt8(ascii: "!"): states[channel].coding = .explicit
    case UInt8(ascii: "'"): states[channel].coding = .difference
    case UInt8(ascii: "\""): states[channel].coding = .secondDifference
    case UInt8(ascii: "*"):
      place += 1
      return states[channel].repeated()
    case UInt8(ascii: "?"):
      place += 1
      return nil
    case UInt8(ascii: "T"), UInt8(ascii: "F"):
      defer { place += 1 }
      return states[channel].take(text[place] == UInt8(ascii: "T") ? 1 : 0)
    default: return states[channel].take(try number())
    }
    place += 1
    skipSpace()
    guard place < text.count else { throw failure("ends after a prefix") }
    return text[place] == UInt8(ascii: "*") ? try value(of: channel) : states[channel].take(try number())
  }

  private mutating func number() throws(InkError) -> Double {
    let start = place
    if text[place] == UInt8(ascii: "#") {
      place += 1
      while place < text.count, Character(Unicode.Scalar(text[place])).isHexDigit { place += 1 }
      guard place - start <= 9, let value = UInt32(String(decoding: text[start + 1..<place], as: UTF8.self), radix: 16)
      else { throw failure("has \(excerpt(String(decoding: text[start..<place], as: UTF8.self))) for a number") }
      return Double(value)
    }
    // A sign starts the next number, unless it is the first character of this one or of its exponent.
    while place < text.count {
      let byte = text[place]
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      let follows = place > start && (text[place - 1] | 0x20) == UInt8(ascii: "e")
      let isDigit = (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || (byte | 0x20) == UInt8(ascii: "e")
      guard isDigit || (isSign && (place == start || follows)) else { break }
      place += 1
    }
    guard place - start <= 64, let value = Double(String(decoding: text[start..<place], as: UTF8.self)) else {
      place = start
      throw failure(
        "has \(excerpt(String(decoding: text[start..<min(start + 8, text.count)], as: UTF8.self))) for a number")
    }
    return value
  }

  private mutating func skipSpace() {
    while place < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[place]) { place += 1 }
  }

  private func failure(_ finding: String) -> InkError {
    InkError(path: path, finding: finding, requirement: "a trace is lists of numbers with commas between points")
  }
}
