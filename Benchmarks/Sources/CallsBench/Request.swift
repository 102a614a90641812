import Wire

/// A request as it is sent over the bus and by gRPC, and as it is sent in JSON.
struct Request: Sendable {
  let binary: [UInt8]
  let json: [UInt8]

  init(_ message: some Message) throws {
    binary = try message.encoded()
    json = try message.json()
  }
}
