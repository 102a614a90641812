internal import Base
internal import CSystem
internal import Glibc

/// Asks a process for `/readyz`, as a container's health check does: one request, then the connection ends.
public enum ReadinessProbe {
  /// The header that says for how many seconds everybody who asked has found the process ready.
  static let timeHeader = "Ready-Seconds"

  /// The response of the process.
  public struct Answer: Sendable, Hashable {
    public let isReady: Bool
    /// The text of the response: `ready` and problems that operators should know of, one a line, or the phase of a
    /// process that is not ready.
    public let text: String
    /// For how many seconds everybody who asked has found it ready; 0 if it does not say.
    public let readySeconds: Int
  }

  private static let answerLimit = 64 << 10

  /// Waits at most `seconds` for each step.
  public static func ask(_ endpoint: Endpoint, seconds: Int = 3) throws(ProbeError) -> Answer {
    let descriptor = try connect(to: endpoint, seconds: seconds)
    defer { close(descriptor) }
    let request = Array("GET /readyz HTTP/1.0\r\nHost: \(endpoint.settingText)\r\n\r\n".utf8)
    // Without the flag, a peer that has closed the connection would end this process by SIGPIPE.
    guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw ProbeError(endpoint, systemMessage(errno))
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while answer.count < answerLimit {
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 { break }
      guard count > 0 else { throw ProbeError(endpoint, systemMessage(errno)) }
      answer += chunk[..<count]
    }
    guard let parsed = parse(answer) else { throw ProbeError(endpoint, "the answer is not HTTP") }
    return parsed
  }

  /// `HTTP/1.0 200 OK`, headers, an empty line, the text.
  static func parse(_ bytes: [UInt8]) -> Answer? {
    let words = bytes.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
    guard words.count >= 2, words[0].starts(with: Array("HTTP/1.".utf8)), words[1].count == 3 else { return nil }
    let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
    let time = "\(timeHeader): "
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let seconds = head.first { $0.hasPrefix(time) }.flatMap { Int($0.dropFirst(time.count)) }
    return Answer(
      isReady: words[1].elementsEqual(Array("200".utf8)),
      text: String(decoding: bytes[end.upperBound...], as: UTF8.self), readySeconds: seconds ?? 0)
  }

  private static func connect(to endpoint: Endpoint, seconds: Int) throws(ProbeError) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let host = endpoint.host == "localhost" ? "127.0.0.1" : endpoint.host
    guard unsafe getaddrinfo(host, String(endpoint.port), &hints, &found) == 0, let address = unsafe found else {
      throw ProbeError(endpoint, "'\(endpoint.host)' is not a numeric address")
    }
    defer { unsafe freeaddrinfo(found) }
    let descriptor = unsafe csystem_stream_socket(address.pointee.ai_family)
    guard descriptor >= 0 else { throw ProbeError(endpoint, systemMessage(errno)) }
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    guard unsafe Glibc.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
      let why = systemMessage(errno)
      close(descriptor)
      throw ProbeError(endpoint, why)
    }
    return descriptor
  }
}

/// Why a process could not be asked, in one line.
public struct ProbeError: Error, CustomStringConvertible {
  public let description: String

  init(_ endpoint: Endpoint, _ reason: String) {
    description = "\(endpoint.settingText): \(reason)"
  }
}
