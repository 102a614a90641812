internal import InteropContract
internal import RPC
internal import Testing

extension InteropCase {
  func largeUnary(_ client: InteropServiceClient) async throws {
    // The sizes of gRPC's own case, and one far beyond the first window.
    for (asked, sent) in [(314_159, 271_828), (20 << 20, 3 << 20)] {
      var request = UnaryCallRequest()
      request.responseSize = UInt32(asked)
      request.payload = payload(sent)
      let response = try await client.unaryCall(request)
      #expect(response.payload?.body.count == asked)
    }
  }

  func mixedUnary(_ client: InteropServiceClient) async throws {
    var message = MixedMessage()
    message.text = "Grüße, 世界"
    message.values = [1.5, -2.25, .infinity]
    message.notes = ["a": "b"]
    message.owner = .group(7)
    var request = EchoMixedRequest()
    request.message = message
    #expect(try await client.echoMixed(request).message == message)
  }

  func status(_ code: StatusCode, _ message: String, _ client: InteropServiceClient) async throws {
    var wanted = EchoStatus()
    wanted.code = UInt32(code.rawValue)
    wanted.message = message
    var request = UnaryCallRequest()
    request.responseStatus = wanted
    let unary = await failure { _ = try await client.unaryCall(request) }
    #expect(unary?.code == code)
    #expect(unary?.message == message)

    var duplexRequest = StreamingOutputCallRequest()
    duplexRequest.responseStatus = wanted
    let call = client.fullDuplexCall()
    try await call.requests.send(duplexRequest)
    call.requests.finish()
    let duplex = await failure { for try await _ in call.responses {} }
    #expect(duplex?.code == code)
    #expect(duplex?.message == message)
  }

  func customMetadata(_ channel: any Channel) async throws {
    var metadata: Metadata = ["assent-echo-initial": "test_initial_metadata_value"]
    try metadata.add("assent-echo-trailing-bin", bytes: [0xAB, 0xAB, 0xAB, 0x00])
    let answer: Answer<EmptyCallResponse> = try await channel.unary(
      InteropServiceMethods.emptyCall, EmptyCallRequest(), options: CallOptions(metadata: metadata))
    #expect(answer.initialMetadata["assent-echo-initial"] == "test_initial_metadata_value")
    #expect(answer.trailingMetadata[bytes: "assent-echo-trailing-bin"] == [0xAB, 0xAB, 0xAB, 0x00])
  }

  func timeout(_ client: InteropServiceClient) async throws {
    var request = UnaryCallRequest()
    request.sleepMs = 60_000
    let status = await failure { _ = try await client.unaryCall(request, deadline: .milliseconds(50)) }
    #expect(status?.code == .deadlineExceeded)
  }

  func unimplemented(_ client: InteropServiceClient) async throws {
    let status = await failure { _ = try await client.unimplementedCall(UnimplementedCallRequest()) }
    #expect(status?.code == .unimplemented)
  }

  func missing(_ service: String, _ method: String, _ channel: any Channel) async throws {
    let descriptor = MethodDescriptor(
      service: service, name: method, kind: .unary, idempotency: .noSideEffects,
      permissions: [MethodPermission([.device])])
    let status = await failure { _ = try await channel.unary(descriptor, [], options: CallOptions()) }
    #expect(status?.code == .unimplemented)
  }
}
