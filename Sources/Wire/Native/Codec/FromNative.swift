public import CProtobufC
internal import Glibc

/// Makes Swift values from protobuf-c's structs. The scan has made sure that every text is UTF-8.
public enum FromNative {
  public static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    let bytes = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
    return unsafe UTF8Check.checkedText(UnsafeBufferPointer(start: bytes, count: strlen(pointer)))
  }

  public static func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
    unsafe numbers(data.data, data.len)
  }

  @inlinable
  public static func numbers<Number>(_ pointer: UnsafeMutablePointer<Number>?, _ count: Int) -> [Number] {
    unsafe Array(UnsafeBufferPointer(start: pointer, count: count))
  }

  @inlinable
  public static func message<M: NativeMessage>(_ pointer: UnsafeMutablePointer<M.Native>?, as _: M.Type) -> M? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe M.reading(pointer)
  }

  /// A list, converted element by element.
  ///
  /// Capacity is reserved instead of using `Array(unsafeUninitializedCapacity:)`, which the standard library never
  /// specialises, so that it looks up the type of the array's storage at each use.
  @inlinable
  static func list<Native, Value>(
    _ pointer: UnsafeMutablePointer<Native>?, _ count: Int, _ convert: (Native) -> Value
  ) -> [Value] {
    guard let pointer = unsafe pointer, count > 0 else { return [] }
    var values: [Value] = []
    values.reserveCapacity(count)
    for index in 0..<count { values.append(unsafe convert(pointer[index])) }
    return values
  }

  public static func flags(_ pointer: UnsafeMutablePointer<protobuf_c_boolean>?, _ count: Int) -> [Bool] {
    unsafe list(pointer, count) { $0 != 0 }
  }

  @inlinable
  public static func kinds<Kind: MessageEnum, Native: RawRepresentable>(
    _ pointer: UnsafeMutablePointer<Native>?, _ count: Int, as _: Kind.Type
  ) -> [Kind] where Native.RawValue: FixedWidthInteger {
    unsafe list(pointer, count) { Kind(number: Int32(truncatingIfNeeded: $0.rawValue)) }
  }

  public static func texts(_ pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int) -> [String] {
    unsafe list(pointer, count) { unsafe text($0) }
  }

  public static func blobs(_ pointer: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int) -> [[UInt8]] {
    unsafe list(pointer, count) { unsafe bytes($0) }
  }

  @inlinable
  public static func messages<M: NativeMessage>(
    _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<M.Native>?>?, _ count: Int, as _: M.Type
  ) -> [M] {
    guard let pointer = unsafe pointer, count > 0 else { return [] }
    return unsafe Array(unsafeUninitializedCapacity: count) { values, initializedCount in
      guard let first = values.baseAddress else { return }
      for index in 0..<count {
        // protobuf-c leaves no gaps in its lists.
        if let native = unsafe pointer[index] {
          unsafe M.read(native, into: first + initializedCount)
          initializedCount += 1
        }
      }
    }
  }

  /// A map from its entries. If two have the same key, the later one wins.
  @inlinable
  public static func map<Entry, Key: Hashable, Value>(
    _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>?, _ count: Int,
    key: (UnsafeMutablePointer<Entry>) -> Key, value: (UnsafeMutablePointer<Entry>) -> Value
  ) -> [Key: Value] {
    guard let pointer = unsafe pointer, count > 0 else { return [:] }
    var result = [Key: Value](minimumCapacity: count)
    for index in 0..<count {
      if let entry = unsafe pointer[index] { unsafe result[key(entry)] = value(entry) }
    }
    return result
  }
}
