internal import CProtobufC
internal import Synchronization

/// What `WireScan` needs to know about a message's fields, laid out for fast look-ups by number.
@safe struct MessagePlan {
  /// Fields by their number, up to `denseCount`. Unused numbers have an absent field.
  let dense: UnsafeMutablePointer<FieldPlan>
  let denseCount: UInt32
  /// Fields of higher numbers.
  let sparse: UnsafeMutablePointer<FieldPlan>
  let sparseCount: Int
  /// Whether the message has lists of fixed-width numbers.
  let hasFixedLists: Bool

  private static let highestDense: UInt32 = 127

  /// The field of this number, or nil when the contract has none.
  @inline(__always)
  func field(_ number: UInt32) -> UnsafePointer<FieldPlan>? {
    if number <= denseCount {
      let field = unsafe dense + Int(number)
      return unsafe field.pointee.form == .absent ? nil : UnsafePointer(field)
    }
    for index in 0..<sparseCount where unsafe sparse[index].number == number {
      return unsafe UnsafePointer(sparse + index)
    }
    return nil
  }
}

/// What the scan checks about one field.
@safe struct FieldPlan {
  enum Form: UInt8 {
    case absent
    case varint, fixed32, fixed64
    case text, blob, message

    /// The wire type of a single value.
    var wireType: UInt8 {
      switch self {
      case .varint, .absent: 0
      case .fixed64: 1
      case .text, .blob, .message: 2
      case .fixed32: 5
      }
    }
  }

  var form = Form.absent
  /// The wire type of a single value; 255, which is none, for an unused number.
  private var onlyWireType: UInt8 = 255
  var isRepeated = false
  var number: UInt32 = 0
  var child: UnsafePointer<MessagePlan>?
  var native: UnsafePointer<ProtobufCFieldDescriptor>?

  init() {}

  init(_ native: UnsafePointer<ProtobufCFieldDescriptor>, child: UnsafePointer<MessagePlan>?) {
    unsafe self.native = native
    unsafe self.child = child
    unsafe number = native.pointee.id
    unsafe isRepeated = native.pointee.label == PROTOBUF_C_LABEL_REPEATED
    switch unsafe native.pointee.type {
    case PROTOBUF_C_TYPE_STRING: form = .text
    case PROTOBUF_C_TYPE_BYTES: form = .blob
    case PROTOBUF_C_TYPE_MESSAGE: form = .message
    case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: form = .fixed32
    case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: form = .fixed64
    default: form = .varint
    }
    onlyWireType = form.wireType
  }

  /// Whether this is the wire type of a single value; never so for an unused number.
  @inline(__always)
  func takes(wireType: UInt8) -> Bool { wireType == onlyWireType }

  /// Whether the field is a list of fixed-width numbers.
  var isFixedList: Bool { isRepeated && (form == .fixed32 || form == .fixed64) }
}

extension MessagePlan {
  /// Plans by their descriptor. They are never freed, since descriptors are part of the program.
  @safe private struct Registry: @unchecked Sendable {
    var plans: [UnsafePointer<ProtobufCMessageDescriptor>: UnsafePointer<MessagePlan>] = unsafe [:]
  }

  private static let registry = Mutex(Registry())

  /// `@unchecked` because the plan never changes once it is made.
  @safe struct Shared: @unchecked Sendable {
    let plan: UnsafePointer<MessagePlan>
  }

  /// The plan of a message without fields.
  static let empty: Shared = {
    let nothing = UnsafeMutablePointer<FieldPlan>.allocate(capacity: 1)
    unsafe nothing.initialize(to: FieldPlan())
    let plan = UnsafeMutablePointer<MessagePlan>.allocate(capacity: 1)
    unsafe plan.initialize(
      to: MessagePlan(dense: nothing, denseCount: 0, sparse: nothing, sparseCount: 0, hasFixedLists: false))
    return unsafe Shared(plan: UnsafePointer(plan))
  }()

  static func of(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> UnsafePointer<MessagePlan> {
    unsafe registry.withLock { unsafe Shared(plan: make(descriptor, &$0)) }.plan
  }

  private static func make(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ registry: inout Registry
  ) -> UnsafePointer<MessagePlan> {
    if let known = unsafe registry.plans[descriptor] { return unsafe known }
    let plan = UnsafeMutablePointer<MessagePlan>.allocate(capacity: 1)
    // Registered before its fields are looked at, so that a type may contain itself.
    unsafe registry.plans[descriptor] = UnsafePointer(plan)

    let natives = unsafe UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    let highest = unsafe natives.lazy.map(\.id).filter { $0 <= highestDense }.max() ?? 0
    let dense = UnsafeMutablePointer<FieldPlan>.allocate(capacity: Int(highest) + 1)
    unsafe dense.initialize(repeating: FieldPlan(), count: Int(highest) + 1)
    let sparse = UnsafeMutablePointer<FieldPlan>.allocate(capacity: natives.count)
    var sparseCount = 0
    var hasFixedLists = false
    for index in natives.indices {
      guard let native = unsafe descriptor.pointee.fields.map({ unsafe $0 + index }) else { continue }
      var child: UnsafePointer<MessagePlan>?
      if unsafe native.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let inner = unsafe native.pointee.descriptor {
        unsafe child = make(inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), &registry)
      }
      let field = unsafe FieldPlan(native, child: child)
      hasFixedLists = hasFixedLists || field.isFixedList
      if field.number <= highest {
        unsafe dense[Int(field.number)] = field
      } else {
        unsafe (sparse + sparseCount).initialize(to: field)
        sparseCount += 1
      }
    }
    unsafe plan.initialize(
      to: MessagePlan(
        dense: dense, denseCount: highest, sparse: sparse, sparseCount: sparseCount, hasFixedLists: hasFixedLists))
    return unsafe UnsafePointer(plan)
  }
}
