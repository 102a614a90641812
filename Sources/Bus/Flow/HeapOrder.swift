internal import Base

/// An entry of a heap whose earliest entry is the first.
protocol HeapEntry {
  var time: MonotonicTime { get }
}

extension Array where Element: HeapEntry {
  /// Whether an entry is not due before its parent, nor after its children: for assertions.
  func isOrdered(around place: Int) -> Bool {
    let children = [2 * place + 1, 2 * place + 2].filter { $0 < count }
    let isBehind = place == 0 || self[(place - 1) / 2].time <= self[place].time
    return isBehind && children.allSatisfy { self[place].time <= self[$0].time }
  }
}
