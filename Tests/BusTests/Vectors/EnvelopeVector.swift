import Base
import Bus
import RPC
import TestSupport

/// Envelopes in the notation of the vectors: fields by their names in envelope.proto, bytes in hexadecimal, values of
/// enums without their prefix.
extension Envelope {
  init(vector: JSONValue) {
    self.init(Self.kind(vector["type"].text ?? ""))
    session = UInt64(vector["session"].number ?? 0)
    call = UInt64(vector["call_id"].number ?? 0)
    offset = UInt64(vector["offset"].number ?? 0)
    credit = UInt64(vector["credit"].number ?? 0)
    remainingMilliseconds = UInt32(vector["remaining_ms"].number ?? 0)
    attempt = UInt8(vector["attempt"].number ?? 0)
    carriesMessage = vector["carries_message"].flag
    statusCode = StatusCode(wire: vector["status_code"].number ?? 0)
    notStarted = vector["not_started"].flag
    method = vector["method"].text ?? ""
    idempotencyKey = vector["idempotency_key"].text ?? ""
    payload = vector["payload"].bytes
    var metadata = Metadata()
    for entry in vector["metadata"].list {
      metadata.appendUnchecked(key: entry["key"].text ?? "", value: entry["value"].bytes)
    }
    let details = vector["status_details"].list.map {
      Status.Detail(typeName: $0["type_name"].text ?? "", value: $0["value"].bytes)
    }
    let (load, ack) = (vector["load"], vector["hello_ack"])
    let extra = Extra(
      metadata: metadata, caller: vector["caller"] == .null ? nil : CallerIdentity(vector: vector["caller"]),
      waitsForReady: vector["waits_for_ready"].flag, statusMessage: vector["status_message"].text ?? "",
      statusDetails: details, hello: vector["hello"] == .null ? nil : Hello(vector: vector["hello"]),
      helloAck: ack == .null ? nil : HelloAck(vector: ack), load: load == .null ? nil : Load(vector: load))
    if extra != Extra() { self.extra = extra }
  }

  static func kind(_ name: String) -> Kind {
    guard let kind = Kind.allCases.first(where: { Self.name(of: $0) == name }) else {
      preconditionFailure("there is no type \(name)")
    }
    return kind
  }

  static func name(of kind: Kind) -> String {
    "\(kind)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1)" : $1.uppercased() }
  }

  /// The fields of this envelope of which vectors speak.
  var vector: JSONValue {
    var members: [String: JSONValue] = [
      "type": .text(Self.name(of: kind)), "session": .number(Int(session)), "call_id": .number(Int(call)),
      "offset": .number(Int(offset)), "credit": .number(Int(credit)),
      "remaining_ms": .number(Int(remainingMilliseconds)),
      "attempt": .number(Int(attempt)),
      "carries_message": .bool(carriesMessage), "status_code": .number(Int(statusCode.rawValue)),
      "not_started": .bool(notStarted), "method": .text(method), "idempotency_key": .text(idempotencyKey),
      "payload": .text(Hex.encode(payload)), "status_message": .text(extra?.statusMessage ?? ""),
      "waits_for_ready": .bool(extra?.waitsForReady ?? false),
    ]
    members["metadata"] = .list(
      (extra?.metadata.entries ?? []).map { .object(["key": .text($0.key), "value": .text(Hex.encode($0.value))]) })
    members["status_details"] = .list(
      (extra?.statusDetails ?? []).map {
        .object(["type_name": .text($0.typeName), "value": .text(Hex.encode($0.value))])
      })
    members["caller"] = extra?.caller?.vector
    members["hello"] = extra?.hello?.vector
    members["hello_ack"] = extra?.helloAck.map {
      .object([
        "session": .number(Int(bitPattern: UInt($0.session))), "gateway": .text($0.gateway),
        "version": .number(Int($0.version)), "ping_ms": .number(Int($0.pingMilliseconds)),
      ])
    }
    members["load"] = extra?.load.map {
      .object(["busy": .number(Int($0.busy)), "waiting": .number(Int($0.waiting))])
    }
    return .object(members)
  }
}

extension CallerIdentity {
  fileprivate init(vector: JSONValue) {
    self.init(
      kind: CallerKind(word: vector["kind"].text?.lowercased() ?? "stranger") ?? .stranger,
      tenant: vector["tenant"].text ?? "", subject: vector["subject"].written, device: vector["device"].text ?? "",
      grants: vector["grants"].list.compactMap(\.text))
  }

  fileprivate var vector: JSONValue {
    .object([
      "kind": .text(kind.word.uppercased()), "tenant": .text(tenant), "subject": .text(subject),
      "device": .text(device), "grants": .list(grants.map { .text($0) }),
    ])
  }
}

extension Hello {
  fileprivate init(vector: JSONValue) {
    self.init(
      instance: vector["instance"].text ?? "", epoch: UInt64(vector["epoch"].number ?? 0),
      role: vector["role"].text == "WORKER" ? .worker : .client)
    link = UInt32(vector["link"].number ?? 0)
    oldestVersion = UInt32(vector["oldest_version"].number ?? 0)
    newestVersion = UInt32(vector["newest_version"].number ?? 0)
    slots = UInt32(vector["slots"].number ?? 0)
    prefetch = UInt32(vector["prefetch"].number ?? 0)
    largestMessage = UInt64(vector["largest_message"].number ?? 0)
    version = vector["version"].text ?? ""
    address = vector["address"].text ?? ""
    services = vector["services"].list.flatMap { Self.offers($0) }
  }

  private static func offers(_ service: JSONValue) -> [ServiceOffer] {
    // Conversations with a gateway name the one service that they use.
    if let name = service.text { return [ServiceOffer(name: "test.v1.\(name)", methods: RouterHarness.methods)] }
    let name = service["name"].text ?? ""
    if let count = service["count"].number {
      return (1...count).map { ServiceOffer(name: "\(name)\($0)", methods: []) }
    }
    let numbered = (0..<(service["method_count"].number ?? 0)).map { JSONValue.object(["name": .text("M\($0)")]) }
    let methods = (service["methods"].list + numbered).map { MethodDescriptor(of: name, vector: $0) }
    return [ServiceOffer(name: name, methods: methods)]
  }

  fileprivate var vector: JSONValue {
    .object([
      "role": .text(role == .worker ? "WORKER" : "CLIENT"), "instance": .text(instance), "epoch": .number(Int(epoch)),
      "oldest_version": .number(Int(oldestVersion)), "newest_version": .number(Int(newestVersion)),
      "slots": .number(Int(slots)), "prefetch": .number(Int(prefetch)), "link": .number(Int(link)),
    ])
  }
}

extension MethodDescriptor {
  fileprivate init(of service: String, vector: JSONValue) {
    let kinds: [String: Kind] = [
      "UNARY": .unary, "CLIENT_STREAMING": .clientStreaming, "SERVER_STREAMING": .serverStreaming,
      "BIDIRECTIONAL": .bidirectionalStreaming,
    ]
    let idempotencies: [String: Idempotency] = ["NO_SIDE_EFFECTS": .noSideEffects, "IDEMPOTENT": .idempotent]
    self.init(
      service: service, name: vector["name"].text ?? "", kind: kinds[vector["kind"].text ?? ""] ?? .unary,
      idempotency: idempotencies[vector["idempotency"].text ?? ""] ?? .unknown,
      permissions: [MethodPermission(vector["roles"].list.compactMap { $0.text.flatMap(MethodPermission.Role.init) })])
  }
}

extension HelloAck {
  fileprivate init(vector: JSONValue) {
    self.init(
      session: UInt64(vector["session"].number ?? 0), gateway: vector["gateway"].text ?? "",
      version: UInt32(vector["version"].number ?? 0), pingMilliseconds: UInt32(vector["ping_ms"].number ?? 0))
  }
}

extension Load {
  fileprivate init(vector: JSONValue) {
    self.init(
      busy: UInt32(vector["busy"].number ?? 0), waiting: UInt32(vector["waiting"].number ?? 0),
      progress: UInt64(vector["progress"].number ?? 0))
  }
}
