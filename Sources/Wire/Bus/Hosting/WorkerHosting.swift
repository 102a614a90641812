package import Base

/// What handlers hand to the host of a worker machine.
package enum WorkerInput: Sendable {
  case finish(UInt64, Status, answer: [UInt8]?, initialMetadata: Metadata)
  case send(UInt64, [UInt8], initialMetadata: Metadata)
  case consumed(UInt64, ReadCount)
  case waits(UInt64)
  case resumes(UInt64)
}

/// Where a worker machine lives: on a reactor thread, or under a lock.
package protocol WorkerHost: AnyObject, Sendable {
  func submit(_ input: WorkerInput)
}

/// What handlers of one process have in common.
package struct HandlerSet: Sendable {
  let handlers: [String: MethodHandler]
  let interceptors: [any ServerInterceptor]
  let clock: Clock
  /// Where handlers run. Never the host's own thread.
  let executor: any TaskExecutor
  /// Told of every error that no handler meant for its caller; the id is all that the caller gets.
  let report: @Sendable (_ error: any Error, _ id: String, _ method: MethodDescriptor) -> Void

  package init(
    services: [any RPCService], interceptors: [any ServerInterceptor] = [], clock: Clock = .system,
    executor: any TaskExecutor = globalConcurrentExecutor,
    report: @escaping @Sendable (any Error, String, MethodDescriptor) -> Void
  ) {
    handlers = Dictionary(
      services.flatMap(\.handlers).map { ($0.method.path, $0) }, uniquingKeysWith: { first, _ in first })
    self.interceptors = interceptors
    self.clock = clock
    self.executor = executor
    self.report = report
  }
}

extension Hello.ServiceOffer {
  package init(_ descriptor: ServiceDescriptor) {
    self.init(
      name: descriptor.name, contractHash: Hex.decode(descriptor.fingerprint) ?? [], methods: descriptor.methods)
  }
}

/// A worker machine with its running handlers: what every host of one has inside.
package struct WorkerDriver: Sendable {
  package var machine: Worker
  private let handlers: HandlerSet
  /// The handlers of the machine's methods, in their order.
  private let bodies: [MethodHandler?]
  private var running = NumberMap<ServerCall>()
  private var actions: [WorkerAction] = []

  package init(machine: Worker, handlers: HandlerSet) {
    self.machine = machine
    self.handlers = handlers
    bodies = machine.methods.map { handlers.handlers[$0.path] }
  }

  package mutating func apply(_ input: WorkerInput, at now: MonotonicTime) {
    switch input {
    case .finish(let call, let status, let answer, let metadata):
      running.remove(call)
      machine.finish(call, with: status, answer: answer, initialMetadata: metadata, at: now)
    case .send(let call, let message, let metadata):
      machine.send(call, message: message, initialMetadata: metadata, at: now)
    case .consumed(let call, let count): machine.consumed(call, count, at: now)
    case .waits(let call): machine.waits(call, at: now)
    case .resumes(let call): machine.resumes(call, at: now)
    }
  }

  /// What is to be delivered now that the machine is at rest; to be done outside of any lock.
  package mutating func takeDeliveries(for host: any WorkerHost, into deliveries: inout [Delivery]) {
    machine.exchangeActions(&actions)
    defer { actions.removeAll(keepingCapacity: true) }
    for action in actions {
      switch action {
      case .start(let call, let start, let request):
        guard let handler = bodies[start.methodPlace] else {
          let status = Status(.unimplemented, "\(start.method.path) is announced and has no handler")
          machine.finish(call, with: status, answer: nil, initialMetadata: [:], at: handlers.clock.monotonic)
          continue
        }
        let serverCall = ServerCall(
          call: call, start: start, request: request, handler: handler, set: handlers, host: host)
        running.set(call, serverCall)
        deliveries.append(.run(serverCall))
      case .request(let call, let message):
        if let running = running[call] { deliveries.append(.request(message, running)) }
      case .requestsEnded(let call):
        if let running = running[call] { deliveries.append(.requestsEnded(running)) }
      case .accepted(let call, let bytes):
        if let running = running[call] { deliveries.append(.answersAccepted(bytes, running)) }
      case .cancel(let call, let status):
        if let running = running[call] { deliveries.append(.cancel(status, running)) }
      }
    }
  }
}
