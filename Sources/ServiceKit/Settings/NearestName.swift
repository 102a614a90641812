/// The name that the writer of `word` most likely meant; nil when none is similar.
package func nearestName(to word: String, among names: [String]) -> String? {
  let length = word.unicodeScalars.count
  let reach = max(2, length / 3)
  // A name whose length differs by more cannot be near enough. Leaving it out keeps even a very long word cheap.
  return names.filter { abs($0.unicodeScalars.count - length) <= reach }
    .map { (name: $0, distance: editDistance(from: word, to: $0)) }
    .filter { $0.distance <= reach }
    .min { $0.distance < $1.distance }?
    .name
}

/// How many letters must be added, removed, replaced or swapped with their neighbour to get from one word to the other.
func editDistance(from first: String, to second: String) -> Int {
  let first = Array(first.unicodeScalars)
  let second = Array(second.unicodeScalars)
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for row in first.indices {
    var current = [row + 1]
    for column in second.indices {
      let replaced = previous[column] + (first[row] == second[column] ? 0 : 1)
      var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        distance = min(distance, beforePrevious[column - 1] + 1)
      }
      current.append(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}
