internal import Base
internal import CCurl
internal import Glibc

/// One request on libcurl, from its start to its end.
@safe final class Transfer {
  private let policy: OutgoingPolicy
  private let request: OutgoingRequest
  private let flag: CancellationFlag
  private let receiving: (([UInt8]) -> Void)?
  private var received = 0
  private var status = 0
  private var headers: [(name: String, value: String)] = []
  /// The size of the names and values in `headers`.
  private var headerBytes = 0
  private var body: [UInt8] = []
  /// Whether the policy has forbidden an address.
  private var isRefused = false
  private var isTooLarge = false

  private static let isPrepared = ccurl_prepare() != 0
  private static let headerLimit = 64 << 10
  /// Said of both, and without the address: whoever named the host must not learn which names the installation's
  /// network knows, and what they mean there.
  private static let leadsNowhere = "its host is not known, or leads to an address where requests may not go"

  /// Makes the request on the current thread.
  static func perform(
    _ request: OutgoingRequest, under policy: OutgoingPolicy, _ flag: CancellationFlag,
    _ receiving: (([UInt8]) -> Void)?
  ) throws(OutgoingError) -> OutgoingAnswer {
    try Transfer(request, policy, flag, receiving).perform()
  }

  private init(
    _ request: OutgoingRequest, _ policy: OutgoingPolicy, _ flag: CancellationFlag, _ receiving: (([UInt8]) -> Void)?
  ) {
    self.receiving = receiving
    self.request = request
    self.policy = policy
    self.flag = flag
  }

  private func perform() throws(OutgoingError) -> OutgoingAnswer {
    guard Self.isPrepared, let handle = unsafe curl_easy_init() else {
      throw OutgoingError(.unreachable, "there is no memory for a request")
    }
    defer { unsafe curl_easy_cleanup(handle) }
    guard unsafe configure(handle) else {
      throw OutgoingError(.badAddress, "the request cannot be sent: its address or a header is malformed")
    }
    var list: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl_slist_free_all(list) }
    // An empty Expect keeps libcurl from asking the server whether it may send a large body.
    for line in request.headers.map({ "\($0.name): \($0.value)" }) + ["Expect:"] {
      guard !line.utf8.contains(where: { $0 < 0x20 }), let longer = unsafe curl_slist_append(list, line) else {
        throw OutgoingError(.badAddress, "a header has a character that would end it")
      }
      unsafe list = longer
    }
    unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, list)
    let result = unsafe request.body.withUnsafeBytes { bytes in
      if bytes.count > 0 { unsafe ccurl_set_body(handle, bytes.baseAddress, bytes.count) }
      return unsafe curl_easy_perform(handle)
    }
    extendLifetime(self)
    let status = unsafe Int(ccurl_status(handle))
    if request.ignoresBody, received > request.mostBytes, !isRefused {
      return OutgoingAnswer(status: status, headers: headers, body: [])
    }
    if let error = error(of: result) { throw error }
    return OutgoingAnswer(status: status, headers: headers, body: body)
  }

  private func configure(_ handle: UnsafeMutableRawPointer) -> Bool {
    // Only these schemes are allowed, also after a redirect, and proxies that the environment names are not used.
    let schemes = policy.allowsPlainText ? "https,http" : "https"
    var isRight = unsafe ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, schemes) != 0
    isRight = unsafe ccurl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, schemes) != 0 && isRight
    isRight = unsafe ccurl_set_text(handle, CURLOPT_PROXY, "") != 0 && isRight
    isRight = unsafe ccurl_set_text(handle, CURLOPT_URL, request.url) != 0 && isRight
    isRight = unsafe ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method) != 0 && isRight
    isRight = unsafe ccurl_set_text(handle, CURLOPT_USERAGENT, "assent") != 0 && isRight
    if let file = policy.certificates {
      isRight = unsafe ccurl_set_text(handle, CURLOPT_CAINFO, file) != 0 && isRight
    }
    let milliseconds = Int(request.timeout / .milliseconds(1))
    unsafe ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, milliseconds))
    unsafe ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds))
    unsafe ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    // libcurl looks names up on a thread of its own. This keeps the end of a request from waiting for that thread.
    unsafe ccurl_set_number(handle, CURLOPT_QUICK_EXIT, 1)
    unsafe ccurl_set_number(handle, CURLOPT_FORBID_REUSE, 1)
    let redirects = request.body.isEmpty ? request.mostRedirects : 0
    unsafe ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, redirects > 0 ? 1 : 0)
    unsafe ccurl_set_number(handle, CURLOPT_MAXREDIRS, redirects)
    if request.method == "HEAD" { unsafe ccurl_set_number(handle, CURLOPT_NOBODY, 1) }
    unsafe ccurl_set_callbacks(
      handle,
      ccurl_callbacks(
        body: Self.takeBody, header: Self.takeHeader, open_socket: Self.openSocket, progress: Self.goesOn,
        context: Unmanaged.passUnretained(self).toOpaque()))
    return isRight && !request.method.isEmpty && request.method.utf8.allSatisfy { 65...90 ~= $0 }
      && !request.url.utf8.contains { $0 <= 0x20 }
  }

  /// Whether somebody else than the operator may have named the address.
  private var isAddressOfOthers: Bool {
    if case .publicAddresses = policy.reach { true } else { false }
  }

  private func error(of result: CURLcode) -> OutgoingError? {
    if result == CURLE_OK { return nil }
    if isRefused { return OutgoingError(.forbidden, Self.leadsNowhere) }
    if isTooLarge {
      return OutgoingError(.tooLarge, "the answer has more than \(request.mostBytes) bytes, or its head is too long")
    }
    let text = unsafe String(cString: curl_easy_strerror(result))
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST where isAddressOfOthers:
      return OutgoingError(.unreachable, Self.leadsNowhere)
    case CURLE_ABORTED_BY_CALLBACK: return OutgoingError(.cancelled, "the request was given up")
    case CURLE_OPERATION_TIMEDOUT: return OutgoingError(.timedOut, "there was no answer within \(request.timeout)")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: return OutgoingError(.badAddress, text)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR:
      return OutgoingError(.untrusted, text)
    default: return OutgoingError(.unreachable, text)
    }
  }

  // MARK: - Called by libcurl

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let takeBody: curl_write_callback = { bytes, size, count, context in
    guard let transfer = unsafe Transfer.of(context), let bytes = unsafe bytes else { return 0 }
    let total = size * count
    let part = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: total))
    return transfer.take(part) ? total : 0
  }

  private func take(_ part: [UInt8]) -> Bool {
    received += part.count
    guard received <= request.mostBytes else {
      isTooLarge = true
      return false
    }
    if let receiving, status == 200 { receiving(part) } else { body += part }
    return true
  }

  private static let takeHeader: curl_write_callback = { bytes, size, count, context in
    guard let transfer = unsafe Transfer.of(context), let bytes = unsafe bytes else { return 0 }
    let total = size * count
    let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: total), as: UTF8.self)
    return transfer.take(header: line) ? total : 0
  }

  private func take(header line: String) -> Bool {
    // Each answer of a chain of redirects begins anew.
    if line.hasPrefix("HTTP/") {
      headers = []
      headerBytes = 0
      body = []
      received = 0
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
    }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let value = line[line.index(after: colon)...].drop { $0 == " " }.prefix { !$0.isNewline }
    let header = (name: line[..<colon].lowercased(), value: String(value))
    headers.append(header)
    headerBytes += header.name.utf8.count + header.value.utf8.count
    isTooLarge = headerBytes > Self.headerLimit
    return !isTooLarge
  }

  /// Opens a socket if the policy admits its address. This is the very address that is connected to, so a name cannot
  /// resolve to another one after the check.
  private static let openSocket: curl_opensocket_callback = { context, _, wanted in
    guard let transfer = unsafe Transfer.of(context), let wanted = unsafe wanted else { return ccurl_no_socket() }
    guard let address = unsafe NetworkAddress(ccurl_address(wanted)), transfer.policy.reach.admits(address) else {
      transfer.isRefused = true
      return ccurl_no_socket()
    }
    return unsafe socket(
      wanted.pointee.family, wanted.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.pointee.protocol)
  }

  private static let goesOn: curl_xferinfo_callback = { context, _, _, _, _ in
    unsafe Transfer.of(context)?.flag.isSet == true ? 1 : 0
  }
}
