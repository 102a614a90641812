/// The middle of `values`, which a few disturbed runs cannot move.
public func median(_ values: [Double]) -> Double {
  precondition(!values.isEmpty, "no values have no median")
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The value below which `share` (0…1) of `values` lie, by nearest rank.
public func percentile(_ share: Double, of values: [Double]) -> Double {
  precondition(!values.isEmpty && (0...1).contains(share), "a percentile needs values and a share of them")
  let rank = Int((share * Double(values.count)).rounded(.up))
  return values.sorted()[max(0, rank - 1)]
}
