/// Ends the layout of a document when its time is over.
struct Patience {
  let isOver: @Sendable () -> Bool

  func check() throws(DocumentError) {
    if isOver() { throw .stopped }
  }
}
