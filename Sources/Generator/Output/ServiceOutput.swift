/// Writes the Swift code for one service: its methods as values, the protocol that a server implements, and the client.
struct ServiceOutput {
  let contract: Contract

  func write(_ service: ServiceType, to out: inout SourceText) throws(GeneratorError) {
    let methods = try service.methods.map { (method) throws(GeneratorError) in try Method(method, in: contract) }
    try writeDescriptors(service, methods, to: &out)
    out.line()
    writeProtocol(service, methods, to: &out)
    out.line()
    writeHandlers(service, methods, to: &out)
    out.line()
    writeClient(service, methods, to: &out)
  }

  /// A method with its Swift names and types.
  private struct Method {
    let declared: ServiceType.Method
    let name: String
    let request: String
    let response: String
    let idempotency: String
    let permissions: String

    init(_ method: ServiceType.Method, in contract: Contract) throws(GeneratorError) {
      declared = method
      name = SwiftNames.escaped(SwiftNames.method(method.name))
      request = try contract.swiftName(of: method.inputType)
      response = try contract.swiftName(of: method.outputType)
      idempotency = ["unknown", "noSideEffects", "idempotent"][method.idempotencyLevel]
      permissions = try PermissionOutput.argument(for: method)
    }

    var kind: String {
      switch (declared.clientStreams, declared.serverStreams) {
      case (false, false): "unary"
      case (true, false): "clientStreaming"
      case (false, true): "serverStreaming"
      case (true, true): "bidirectionalStreaming"
      }
    }
  }

  private func writeDescriptors(
    _ service: ServiceType, _ methods: [Method], to out: inout SourceText
  ) throws(GeneratorError) {
    let fingerprint = try Fingerprint.of(service, in: contract)
    out.line("/// The methods of \(service.name), as the contract states them.")
    out.block("public enum \(service.name)Methods") { out in
      for method in methods {
        out.list(
          open: "public static let \(method.name) = MethodDescriptor(",
          [
            "service: \"\(service.fullName)\", name: \"\(method.declared.name)\", kind: .\(method.kind)",
            "idempotency: .\(method.idempotency)", method.permissions,
          ], close: ")")
      }
      out.line()
      out.list(
        open: "public static let service = ServiceDescriptor(",
        [
          "name: \"\(service.fullName)\"",
          "methods: [\(methods.map(\.name).joined(separator: ", "))]",
          "fingerprint: \"\(fingerprint)\"",
        ], close: ")")
    }
  }

  // MARK: - Servers

  private func writeProtocol(_ service: ServiceType, _ methods: [Method], to out: inout SourceText) {
    out.documentation(service.comment)
    out.block("public protocol \(service.name)Protocol: RPCService") { out in
      for method in methods {
        out.documentation(method.declared.comment)
        out.line(signature(method))
      }
    }
  }

  private func signature(_ method: Method) -> String {
    switch (method.declared.clientStreams, method.declared.serverStreams) {
    case (false, false):
      "func \(method.name)(_ request: \(method.request), context: CallContext) async throws -> \(method.response)"
    case (false, true):
      "func \(method.name)(_ request: \(method.request), context: CallContext, "
        + "responses: ResponseWriter<\(method.response)>) async throws"
    case (true, false):
      "func \(method.name)(_ requests: RequestStream<\(method.request)>, context: CallContext) "
        + "async throws -> \(method.response)"
    case (true, true):
      "func \(method.name)(_ requests: RequestStream<\(method.request)>, context: CallContext, "
        + "responses: ResponseWriter<\(method.response)>) async throws"
    }
  }

  private func writeHandlers(_ service: ServiceType, _ methods: [Method], to out: inout SourceText) {
    out.block("extension \(service.name)Protocol") { out in
      out.line("public static var descriptor: ServiceDescriptor { \(service.name)Methods.service }")
      out.line()
      out.block("public var handlers: [MethodHandler]") { out in
        out.list(open: "[", methods.map { handler($0, of: service) }, close: "]")
      }
    }
  }

  private func handler(_ method: Method, of service: ServiceType) -> String {
    let descriptor = "\(service.name)Methods.\(method.name)"
    let (request, response) = (method.request, method.response)
    return switch (method.declared.clientStreams, method.declared.serverStreams) {
    case (false, false):
      ".unaryInBytes(\(descriptor)) { bytes, context in "
        + "try await self.\(method.name)(\(request)(requestIn: bytes), context: context).encoded() }"
    case (false, true):
      ".serverStreaming(\(descriptor)) { (request: \(request), context, responses: ResponseWriter<\(response)>) in "
        + "try await self.\(method.name)(request, context: context, responses: responses) }"
    case (true, false):
      ".clientStreaming(\(descriptor)) { (requests: RequestStream<\(request)>, context) async throws -> \(response) in "
        + "try await self.\(method.name)(requests, context: context) }"
    case (true, true):
      ".bidirectional(\(descriptor)) { (requests: RequestStream<\(request)>, context, "
        + "responses: ResponseWriter<\(response)>) in "
        + "try await self.\(method.name)(requests, context: context, responses: responses) }"
    }
  }

  // MARK: - Clients

  private func writeClient(_ service: ServiceType, _ methods: [Method], to out: inout SourceText) {
    out.documentation(service.comment)
    out.block("public struct \(service.name)Client: Sendable") { out in
      out.line("private let channel: any Channel")
      out.line()
      out.line("/// Calls the service through `channel`.")
      out.block("public init(_ channel: any Channel)") { out in out.line("self.channel = channel") }
      for method in methods {
        out.line()
        out.documentation(method.declared.comment)
        writeCall(method, of: service, to: &out)
      }
    }
  }

  private func writeCall(_ method: Method, of service: ServiceType, to out: inout SourceText) {
    let descriptor = "\(service.name)Methods.\(method.name)"
    let options = "deadline: Duration? = nil, options: CallOptions = CallOptions()"
    let (request, response) = (method.request, method.response)
    let types = "\(request).self, as: \(response).self, options: options.with(deadline: deadline)"
    let one = "request, as: \(response).self, options: options.with(deadline: deadline)"
    switch (method.declared.clientStreams, method.declared.serverStreams) {
    case (false, false):
      out.block("public func \(method.name)(_ request: \(request), \(options)) async throws(Status) -> \(response)") {
        $0.line("try await channel.unary(\(descriptor), \(one)).message")
      }
    case (false, true):
      out.block(
        "public func \(method.name)(_ request: \(request), \(options)) throws(Status) -> ResponseStream<\(response)>"
      ) {
        $0.line("try channel.serverStream(\(descriptor), \(one))")
      }
    case (true, false):
      out.block("public func \(method.name)(\(options)) -> ClientStreamingCall<\(request), \(response)>") {
        $0.line("channel.clientStream(\(descriptor), \(types))")
      }
    case (true, true):
      out.block("public func \(method.name)(\(options)) -> BidirectionalCall<\(request), \(response)>") {
        $0.line("channel.bidirectional(\(descriptor), \(types))")
      }
    }
  }
}
