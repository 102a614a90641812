internal import Storage

extension Int32 {
  /// The number that follows one from a row. Throws if the row has the largest Int32: somebody must have written that
  /// by hand.
  func following(_ name: String) throws(DatabaseError) -> Int32 {
    guard self < .max else { throw DatabaseError(.corrupt, "\(name) is \(self): its row was altered") }
    return self + 1
  }
}
