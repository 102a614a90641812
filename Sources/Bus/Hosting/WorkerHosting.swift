package import Base
package import RPC

/// What handlers submit to the host of a worker machine.
package enum WorkerInput: Sendable {
  /// The outcome of nearly every call: an answer and nothing else.
  case answer(UInt64, [UInt8])
  // Indirect, so that the other cases stay small.
  indirect case finish(UInt64, Status, answer: [UInt8]?, initialMetadata: Metadata)
  /// The queue has messages to send.
  case send(UInt64, SendQueue, initialMetadata: Metadata)
  case consumed(UInt64, ReadCount)
  case waits(UInt64)
  case resumes(UInt64)
}

/// The host of a worker machine: a reactor, or a lock.
package protocol WorkerHost: AnyObject, Sendable {
  func submit(_ input: WorkerInput)
}

/// What all handlers of a process have in common.
package final class HandlerSet: Sendable {
  private let handlers: [String: MethodHandler]
  private let observers: [any ServerObserver]
  let clock: Clock
  let tasks: CallTasks
  /// Called with each unexpected error of a handler and each fault of its service, and with the id that the caller gets
  /// for it.
  let report: @Sendable (_ error: any Error, _ id: String, _ method: MethodDescriptor) -> Void

  /// - Parameter executor: where handlers run; nil for Swift's shared pool.
  package init(
    services: [any RPCService], observers: [any ServerObserver] = [],
    clock: Clock = .system, executor: (any TaskExecutor)? = nil,
    report: @escaping @Sendable (any Error, String, MethodDescriptor) -> Void
  ) {
    handlers = Dictionary(
      services.flatMap(\.handlers).map { ($0.method.path, $0) }, uniquingKeysWith: { first, _ in first })
    self.observers = observers
    self.clock = clock
    tasks = CallTasks(on: executor)
    self.report = report
  }

  deinit {
    tasks.close()
  }

  /// The handler of `method`; nil if there is none.
  func served(_ method: MethodDescriptor) -> ServedMethod? {
    guard let handler = handlers[method.path] else { return nil }
    return ServedMethod(handler, observers: observers.map { $0.observer(of: method) }, of: self)
  }
}

/// A method with what all its calls have in common.
final class ServedMethod: Sendable {
  let body: MethodHandler.Body
  let observers: [any MethodObserver]
  let set: HandlerSet

  init(_ handler: MethodHandler, observers: [any MethodObserver], of set: HandlerSet) {
    body = handler.body
    self.observers = observers
    self.set = set
  }
}

extension Hello.ServiceOffer {
  package init(_ descriptor: ServiceDescriptor) {
    self.init(
      name: descriptor.name, contractHash: Hex.decode(descriptor.fingerprint) ?? [], methods: descriptor.methods)
  }
}

/// A worker machine with its running handlers, for any host.
package struct WorkerDriver: Sendable {
  package var machine: Worker
  private let clock: Clock
  /// The handlers of the machine's methods, in their order.
  private let served: [ServedMethod?]
  private var running = NumberMap<ServerCall>()
  private var actions: [WorkerAction] = []

  package init(machine: Worker, handlers: HandlerSet) {
    self.machine = machine
    clock = handlers.clock
    served = machine.methods.map { handlers.served($0) }
  }

  package mutating func apply(_ input: WorkerInput, at now: MonotonicTime) {
    switch input {
    case .answer(let call, let message):
      running.remove(call)
      machine.answer(call, message: message, at: now)
    case .finish(let call, let status, let answer, let metadata):
      running.remove(call)
      machine.finish(call, with: status, answer: answer, initialMetadata: metadata, at: now)
    case .send(let call, let queue, let metadata):
      machine.send(call, queue.take(), initialMetadata: metadata, at: now)
    case .consumed(let call, let count): machine.consumed(call, count, at: now)
    case .waits(let call): machine.waits(call, at: now)
    case .resumes(let call): machine.resumes(call, at: now)
    }
  }

  /// Collects the deliveries, once the machine is at rest; they are to be performed outside of any lock.
  package mutating func takeDeliveries(for host: any WorkerHost, into deliveries: inout [Delivery]) {
    var actions: [WorkerAction] = []
    swap(&actions, &self.actions)
    machine.exchangeActions(&actions)
    for place in actions.indices { carryOut(actions[place], for: host, into: &deliveries) }
    actions.removeAll(keepingCapacity: true)
    swap(&actions, &self.actions)
  }

  private mutating func carryOut(
    _ action: WorkerAction, for host: any WorkerHost, into deliveries: inout [Delivery]
  ) {
    switch action {
    case .start(let call, let start, let request):
      guard let method = served[start.methodPlace] else {
        let status = Status(.unimplemented, "\(start.method.path) is announced and has no handler")
        return machine.finish(call, with: status, answer: nil, initialMetadata: [:], at: clock.monotonic)
      }
      let serverCall = ServerCall(call, start, request: request, of: method, host: host)
      running.set(call, serverCall)
      deliveries.append(.run(serverCall))
    case .requests(let call, let messages):
      if let running = running[call] { deliveries.append(.requests(messages, running)) }
    case .requestsEnded(let call):
      if let running = running[call] { deliveries.append(.requestsEnded(running)) }
    case .accepted(let call, let bytes):
      if let running = running[call] { deliveries.append(.answersAccepted(bytes, running)) }
    case .cancel(let call, let status):
      if let running = running[call] { deliveries.append(.cancel(status, running)) }
    }
  }
}
