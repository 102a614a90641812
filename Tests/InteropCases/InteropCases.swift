internal import InteropContract
public import RPC
internal import Testing

/// gRPC's interoperability cases, for any channel that leads to an InteropService.
public enum InteropCase: String, CaseIterable, Sendable {
  case emptyUnary, largeUnary, mixedUnary
  case clientStreaming, serverStreaming, pingPong, halfDuplex, emptyStream
  case statusCodeAndMessage, specialStatusMessage, statusAfterStream
  case customMetadata, metadataOfStreams
  case timeoutOnSleepingServer
  case cancelAfterBegin, cancelAfterFirstResponse
  case unimplementedMethod, unimplementedService, unknownMethod

  /// Runs the case; expectations that fail are recorded as issues.
  public func run(on channel: any Channel) async throws {
    let client = InteropServiceClient(channel)
    switch self {
    case .emptyUnary:
      _ = try await client.emptyCall(EmptyCallRequest())
    case .largeUnary: try await largeUnary(client)
    case .mixedUnary: try await mixedUnary(client)
    case .clientStreaming: try await clientStreaming(client)
    case .serverStreaming: try await serverStreaming(client)
    case .pingPong: try await pingPong(client)
    case .halfDuplex: try await halfDuplex(client)
    case .emptyStream: try await emptyStream(client)
    case .statusCodeAndMessage: try await status(.unknown, "test status message", client)
    case .specialStatusMessage:
      try await status(.unknown, "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n", client)
    case .statusAfterStream: try await statusAfterStream(client)
    case .customMetadata: try await customMetadata(channel)
    case .metadataOfStreams: try await metadataOfStreams(client)
    case .timeoutOnSleepingServer: try await timeout(client)
    case .cancelAfterBegin: try await cancelAfterBegin(client)
    case .cancelAfterFirstResponse: try await cancelAfterFirstResponse(client)
    case .unimplementedMethod: try await unimplemented(client)
    case .unimplementedService: try await missing("assent.interop.v1.NoSuchService", "Anything", channel)
    case .unknownMethod: try await missing("assent.interop.v1.InteropService", "NoSuchMethod", channel)
    }
  }

  static let sizes: [Int] = [31_415, 9, 2_653, 58_979]
  static let requestSizes: [Int] = [27_182, 8, 1_828, 45_904]
}

func payload(_ size: Int) -> Payload {
  var payload = Payload()
  payload.body = [UInt8](repeating: 0, count: size)
  return payload
}

func outputRequest(_ sizes: [Int], filling: Int = 0) -> StreamingOutputCallRequest {
  var request = StreamingOutputCallRequest()
  request.responseParameters = sizes.map { size in
    var parameters = ResponseParameters()
    parameters.size = UInt32(size)
    return parameters
  }
  if filling > 0 { request.payload = payload(filling) }
  return request
}

/// The status with which `body` fails; nil when it does not.
func failure(of body: () async throws -> Void) async -> Status? {
  do {
    try await body()
    return nil
  } catch let status as Status {
    return status
  } catch {
    Issue.record("\(error) is no Status")
    return nil
  }
}
