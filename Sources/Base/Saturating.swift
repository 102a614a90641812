/// Arithmetic with numbers that somebody else may have chosen: instead of overflowing, it returns the largest or
/// smallest number.
extension Int64 {
  public func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  public func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }

  public func multipliedSaturating(by other: Int64) -> Int64 {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
