public import Bus
internal import HealthContract
internal import RPC

/// Tells when another service begins to be served behind the gateways: what waits for it need not ask again and again.
public struct ServiceArrivals: Sendable {
  private let channel: BusChannel
  /// Between two questions to a gateway that did not answer.
  private static let pause = Duration.seconds(1)
  private static let patience = Duration.seconds(600)

  public init(_ channel: BusChannel) {
    self.channel = channel
  }

  /// Yields when the service can be called, and again each time after it could not, until the stream is given up. What
  /// happened while no gateway answered is not known, so it yields after that too.
  public func arrivals(of service: String) -> AsyncStream<Void> {
    let (stream, arrived) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watching = Task { [channel] in
      var isServed = false
      while !Task.isCancelled {
        do {
          let request = HealthCheckRequest(service: service)
          for try await answer in try HealthClient(channel).watch(request, deadline: Self.patience) {
            let isServedNow = answer.status == .serving
            if isServedNow, !isServed { arrived.yield() }
            isServed = isServedNow
          }
        } catch let status as Status where status.code == .deadlineExceeded {
          continue
        } catch {
          isServed = false
        }
        try? await Task.sleep(for: Self.pause)
      }
      arrived.finish()
    }
    arrived.onTermination = { _ in watching.cancel() }
    return stream
  }
}
