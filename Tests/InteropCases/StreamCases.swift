internal import InteropContract
internal import RPC
internal import Testing

extension InteropCase {
  func clientStreaming(_ client: InteropServiceClient) async throws {
    let call = client.streamingInputCall()
    for size in Self.requestSizes {
      var request = StreamingInputCallRequest()
      request.payload = payload(size)
      try await call.requests.send(request)
    }
    #expect(try await call.finish().message.aggregatedPayloadSize == UInt64(Self.requestSizes.reduce(0, +)))
  }

  func serverStreaming(_ client: InteropServiceClient) async throws {
    var sizes: [Int] = []
    for try await response in try client.streamingOutputCall(outputRequest(Self.sizes)) {
      sizes.append(response.payload?.body.count ?? -1)
    }
    #expect(sizes == Self.sizes)
  }

  func pingPong(_ client: InteropServiceClient) async throws {
    let call = client.fullDuplexCall()
    var responses = call.responses.makeAsyncIterator()
    for (size, filling) in zip(Self.sizes, Self.requestSizes) {
      try await call.requests.send(outputRequest([size], filling: filling))
      #expect(try await responses.next()?.payload?.body.count == size)
    }
    call.requests.finish()
    #expect(try await responses.next() == nil)
  }

  func halfDuplex(_ client: InteropServiceClient) async throws {
    let call = client.halfDuplexCall()
    for size in Self.sizes { try await call.requests.send(outputRequest([size])) }
    call.requests.finish()
    var sizes: [Int] = []
    for try await response in call.responses { sizes.append(response.payload?.body.count ?? -1) }
    #expect(sizes == Self.sizes)
  }

  func emptyStream(_ client: InteropServiceClient) async throws {
    let call = client.fullDuplexCall()
    call.requests.finish()
    var responses = call.responses.makeAsyncIterator()
    #expect(try await responses.next() == nil)
  }

  func statusAfterStream(_ client: InteropServiceClient) async throws {
    var request = outputRequest([5, 6])
    var wanted = EchoStatus()
    wanted.code = UInt32(StatusCode.aborted.rawValue)
    request.responseStatus = wanted
    let stream = try client.streamingOutputCall(request)
    var sizes: [Int] = []
    let status = await failure { for try await response in stream { sizes.append(response.payload?.body.count ?? -1) } }
    #expect(sizes == [5, 6])
    #expect(status?.code == .aborted)
  }

  func metadataOfStreams(_ client: InteropServiceClient) async throws {
    var metadata: Metadata = ["assent-echo-initial": "first"]
    try metadata.add("assent-echo-trailing-bin", bytes: [1, 2, 3])
    let call = client.fullDuplexCall(options: CallOptions(metadata: metadata))
    try await call.requests.send(outputRequest([10]))
    call.requests.finish()
    #expect(try await call.responses.initialMetadata()["assent-echo-initial"] == "first")
    for try await _ in call.responses {}
    #expect(call.responses.trailingMetadata[bytes: "assent-echo-trailing-bin"] == [1, 2, 3])
  }

  func cancelAfterBegin(_ client: InteropServiceClient) async throws {
    let call = client.streamingInputCall()
    call.cancel()
    let status = await failure { _ = try await call.finish() }
    #expect(status?.code == .cancelled)
  }

  func cancelAfterFirstResponse(_ client: InteropServiceClient) async throws {
    let call = client.fullDuplexCall()
    var responses = call.responses.makeAsyncIterator()
    try await call.requests.send(outputRequest([31_415]))
    #expect(try await responses.next()?.payload?.body.count == 31_415)
    call.cancel()
    let status = await failure { _ = try await responses.next() }
    #expect(status?.code == .cancelled)
  }
}
