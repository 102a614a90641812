internal import Glibc
internal import Wire

/// Asks the system for the addresses of a host name. It may block for seconds.
enum HostLookup {
  /// Numeric addresses in the order in which the system prefers them; nil when the look-up fails.
  static func addresses(of host: String) -> [String]? {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_ADDRCONFIG
    var first: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return nil }
    defer { unsafe freeaddrinfo(first) }
    var addresses: [String] = []
    var next = unsafe first
    while let entry = unsafe next {
      if let address = unsafe numericForm(of: entry.pointee), !addresses.contains(address) { addresses.append(address) }
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }

  private static func numericForm(of entry: addrinfo) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let failure = unsafe getnameinfo(
      entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard failure == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
