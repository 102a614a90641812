/// A cache with a bound in bytes, as estimated by the code that fills it. It evicts roughly the least recently used
/// entries first: entries are in two generations, and when the younger one is full it takes the place of the older one,
/// which is dropped.
///
/// Inlinable, because hot paths of other modules use it: without that, generic types are looked up at run time.
@frozen public struct BoundedCache<Key: Hashable, Value> {
  @usableFromInline struct Entry {
    @usableFromInline let value: Value
    @usableFromInline let byteCount: Int

    @usableFromInline init(value: Value, byteCount: Int) {
      self.value = value
      self.byteCount = byteCount
    }
  }

  @usableFromInline var young: [Key: Entry] = [:]
  @usableFromInline var old: [Key: Entry] = [:]
  @usableFromInline var youngBytes = 0
  @usableFromInline var oldBytes = 0
  /// The most bytes of one generation.
  @usableFromInline let half: Int

  @inlinable public init(mostBytes: Int) {
    half = mostBytes / 2
  }

  public var byteCount: Int { youngBytes + oldBytes }
  public var count: Int { young.count + old.count }

  @inlinable public mutating func value(for key: Key) -> Value? {
    if let entry = young[key] { return entry.value }
    guard let entry = old.removeValue(forKey: key) else { return nil }
    oldBytes -= entry.byteCount
    add(entry, for: key)
    return entry.value
  }

  /// - Parameter byteCount: the memory that key and value take. An entry of more than a quarter of the cache is not
  ///   kept.
  @inlinable public mutating func insert(_ value: Value, for key: Key, byteCount: Int) {
    remove(key)
    guard byteCount <= half / 2 else { return }
    add(Entry(value: value, byteCount: byteCount), for: key)
  }

  @inlinable mutating func add(_ entry: Entry, for key: Key) {
    if youngBytes + entry.byteCount > half {
      (old, oldBytes) = (young, youngBytes)
      (young, youngBytes) = ([:], 0)
    }
    young[key] = entry
    youngBytes += entry.byteCount
  }

  @inlinable public mutating func remove(_ key: Key) {
    if let entry = young.removeValue(forKey: key) { youngBytes -= entry.byteCount }
    if let entry = old.removeValue(forKey: key) { oldBytes -= entry.byteCount }
  }

  public mutating func removeAll(where isStale: (Key) -> Bool) {
    young = young.filter { !isStale($0.key) }
    old = old.filter { !isStale($0.key) }
    youngBytes = young.values.reduce(0) { $0 + $1.byteCount }
    oldBytes = old.values.reduce(0) { $0 + $1.byteCount }
  }

  public mutating func removeAll() {
    (young, old) = ([:], [:])
    (youngBytes, oldBytes) = (0, 0)
  }
}

extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
