internal import Storage

extension Int32 {
  /// The number after one that stands in a row. The largest that there is was written there by hand.
  func following(_ name: String) throws(DatabaseError) -> Int32 {
    guard self < .max else { throw DatabaseError(.corrupt, "\(name) is \(self): its row was altered") }
    return self + 1
  }
}
