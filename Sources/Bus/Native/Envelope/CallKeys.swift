/// Makes the idempotency keys of one client's calls: a prefix that is unique to the client, and the call's number.
struct CallKeys: Sendable {
  private let prefix: [UInt8]

  init(prefix: String) {
    self.prefix = Array("\(prefix)/".utf8)
  }

  func key(of call: UInt64) -> String {
    var digits = 1
    var rest = call / 10
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    return unsafe String(unsafeUninitializedCapacity: prefix.count + digits) { room in
      _ = unsafe room.update(fromContentsOf: prefix)
      var rest = call
      for place in stride(from: prefix.count + digits - 1, through: prefix.count, by: -1) {
        unsafe room[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return prefix.count + digits
    }
  }
}
