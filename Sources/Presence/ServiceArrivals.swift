public import Bus
internal import HealthContract
internal import RPC

/// Tells when another service becomes available behind the gateways, so that work which waits for it need not poll.
public struct ServiceArrivals: Sendable {
  private let channel: BusChannel
  /// How long to wait before a gateway that did not answer is asked again.
  private static let pause = Duration.seconds(1)
  private static let patience = Duration.seconds(600)

  public init(_ channel: BusChannel) {
    self.channel = channel
  }

  /// Yields when the service can be called, and again each time it can after it could not, until the stream is dropped.
  /// While no gateway answers, the state of the service is not known, so it also yields after that.
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
