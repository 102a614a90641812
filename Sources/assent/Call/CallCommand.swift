internal import Base
internal import Bus
internal import Face
internal import RPC
internal import ServiceKit
internal import Synchronization
internal import Wire

extension Command {
  /// Calls any method of the contract through a gateway.
  static let call = Command(
    "call", "calls any method, and shows its answers as JSON", settings: CallSettings(), operands: "METHOD [JSON]",
    count: 0...2,
    notes: [
      "Exits with 2 where the command line is wrong, 3 if the call is refused, 4 if nobody answers, and 5 if something "
        + "is broken."
    ]
  ) { settings in
    let catalogue = try Catalogue.builtIn()
    if settings[\.list] { return say(list(of: catalogue, matching: settings.operands.first)) }
    guard let name = settings.operands.first else {
      throw CallError("which method? assent call --list shows them all")
    }
    let method = try MethodNames(catalogue).method(name)
    if settings[\.describe] { return say(MethodDescription(method: method, schema: catalogue.schema).text) }
    let requests = try CallRequests(method, json: settings.operands.dropFirst().first)
    if let url = settings[\.http] {
      do {
        return try await callOverHTTP(url, method, requests, settings)
      } catch let error as RPC.Status {
        throw CallError(describe(error, catalogue), error.code)
      }
    }
    let wait = min(settings[\.deadline], .seconds(5))
    let connection: BusConnection
    do {
      connection = try await settings.settings(of: \.door).connect(as: "assent call", within: wait)
    } catch let error as NoGateway {
      throw CallError(unreachable: error.description)
    }
    let caller = settings.settings(of: \.caller).identity
    let channel = caller.map(connection.channel.acting) ?? connection.channel
    let call = channel.begin(method.descriptor, request: try requests.single(), options: try options(settings))
    do {
      try await exchange(call, requests, method, isIndented: settings[\.indent])
    } catch let error as RPC.Status {
      throw CallError(describe(error, catalogue), error.code)
    }
    try await connection.close()
  }

  private static func callOverHTTP(
    _ url: String, _ method: Catalogue.Method, _ requests: CallRequests, _ settings: Settings<CallSettings>
  ) async throws {
    guard settings.settings(of: \.caller).identity == nil else {
      throw CallError("over HTTP the key says who calls: leave --tenant and the like out, and name a --key-file")
    }
    let key = try settings[\.keyFile].map { path in
      String(decoding: try Files.readPrivate(path, limit: 16 << 10), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).joined()
    }
    let caller = HTTPCaller(url: url, key: key, certificates: settings[\.certificates])
    let isIndented = settings[\.indent]
    try await caller.call(method, requests, try options(settings), idempotencyKey: settings[\.key]) {
      (answer) throws(RPC.Status) in
      say(try text(of: answer, method, isIndented))
    }
  }

  private static func list(of catalogue: Catalogue, matching text: String?) -> String {
    let names = MethodNames(catalogue).methods.map { String($0.descriptor.path.dropFirst()) }
    let wanted = text?.lowercased() ?? ""
    return names.filter { wanted.isEmpty || $0.lowercased().contains(wanted) }.joined(separator: "\n")
  }

  private static func options(_ settings: Settings<CallSettings>) throws -> CallOptions {
    var options = CallOptions(deadline: settings[\.deadline])
    for entry in settings[\.metadata] { try options.metadata.add(entry.key, entry.value) }
    if let key = settings[\.key] { options.idempotencyKey = .given(key) }
    return options
  }

  /// Sends the requests and shows the answers, both at the same time.
  private static func exchange(
    _ call: any OpenCall, _ requests: CallRequests, _ method: Catalogue.Method, isIndented: Bool
  ) async throws {
    let mistake = Mutex<CallError?>(nil)
    let sending = Task {
      do {
        for try await request in requests { try await call.send(request) }
        call.finishSending()
      } catch {
        mistake.withLock { $0 = error as? CallError }
        call.cancel()
      }
    }
    do throws(RPC.Status) {
      while let answer = try await call.next() { say(try text(of: answer, method, isIndented)) }
    } catch {
      // A request that cannot be read has cancelled the call. Further requests are not awaited: they may never come.
      throw mistake.withLock { $0 } ?? error
    }
    sending.cancel()
  }

  private static func text(
    of answer: [UInt8], _ method: Catalogue.Method, _ isIndented: Bool
  ) throws(RPC.Status) -> String {
    do throws(CodecError) {
      let json = try method.output.json(fromBinary: answer.span, JSONEncodingOptions(isIndented: isIndented))
      return String(decoding: json, as: UTF8.self)
    } catch {
      throw RPC.Status(.internal, "the answer cannot be read: \(error)")
    }
  }

  /// The status with its details, each on a line of its own.
  private static func describe(_ status: RPC.Status, _ catalogue: Catalogue) -> String {
    let details = status.details.map { detail in
      let json = try? catalogue.type(detail.typeName)?.json(fromBinary: detail.value.span)
      return "\n  \(detail.typeName) " + (json.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    return "\(status)\(details.joined())"
  }
}
