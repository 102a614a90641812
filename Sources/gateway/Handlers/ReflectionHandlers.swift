import Face
import RPC
import ReflectionContract
import Wire

/// grpc.reflection.v1, answered from the descriptor set in this program: it shows the contract of all services, whether
/// they run or not.
struct ReflectionHandlers: ServerReflectionProtocol {
  private let catalogue: Catalogue
  private let files: [String: SchemaFile]
  /// The file that declares each service, method, message and enum, by its full name.
  private let fileOfSymbol: [String: String]

  init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
    let all = catalogue.schema.files
    files = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    fileOfSymbol = Dictionary(all.flatMap { file in file.symbols.map { ($0, file.name) } }) { first, _ in first }
  }

  func serverReflectionInfo(
    _ requests: RequestStream<ServerReflectionRequest>, context: CallContext,
    responses: ResponseWriter<ServerReflectionResponse>
  ) async throws {
    for try await request in requests {
      try await responses.send(
        ServerReflectionResponse(
          validHost: request.host, originalRequest: request, messageResponse: answer(request.messageRequest)))
    }
  }

  private func answer(_ question: ServerReflectionRequest.MessageRequest?) -> ServerReflectionResponse.MessageResponse {
    switch question {
    case .listServices:
      let names = catalogue.schema.files.flatMap { $0.services.map(\.name) }.sorted()
      return .listServicesResponse(ListServiceResponse(service: names.map { ServiceResponse(name: $0) }))
    case .fileByFilename(let name): return file(name, orMissing: "the contract has no file \(name)")
    case .fileContainingSymbol(let symbol):
      return file(fileOfSymbol[symbol], orMissing: "the contract does not declare \(symbol)")
    case .fileContainingExtension(let wanted):
      let found = catalogue.schema.files.first { file in
        file.extensions.contains { $0.extended == wanted.containingType && $0.number == Int(wanted.extensionNumber) }
      }
      return file(
        found?.name, orMissing: "the contract has no extension \(wanted.extensionNumber) of \(wanted.containingType)")
    case .allExtensionNumbersOfType(let type):
      guard catalogue.schema.messages[type] != nil else { return missing("the contract does not declare \(type)") }
      let numbers = catalogue.schema.files.flatMap(\.extensions).filter { $0.extended == type }.map(\.number)
      return .allExtensionNumbersResponse(
        ExtensionNumberResponse(baseTypeName: type, extensionNumber: numbers.sorted().map { Int32(clamping: $0) }))
    case nil:
      return .errorResponse(
        ErrorResponse(errorCode: Int32(StatusCode.invalidArgument.rawValue), errorMessage: "the request asks nothing"))
    }
  }

  private func file(_ name: String?, orMissing text: String) -> ServerReflectionResponse.MessageResponse {
    guard let file = name.flatMap({ files[$0] }) else { return missing(text) }
    return .fileDescriptorResponse(FileDescriptorResponse(fileDescriptorProto: [file.descriptor]))
  }

  private func missing(_ text: String) -> ServerReflectionResponse.MessageResponse {
    .errorResponse(ErrorResponse(errorCode: Int32(StatusCode.notFound.rawValue), errorMessage: text))
  }
}

extension SchemaFile {
  /// The full names of everything that the file declares.
  fileprivate var symbols: [String] {
    var names =
      enums.map(\.name)
      + services.flatMap { service in
        [service.name] + service.methods.map { "\(service.name).\($0.name)" }
      }
    func add(_ message: SchemaMessage) {
      names.append(message.name)
      names += message.enums.map(\.name)
      message.messages.forEach(add)
    }
    messages.forEach(add)
    return names
  }
}
