/// A part of a name in one script, and therefore in one direction and one font.
struct Run: Equatable {
  var scalars: [Unicode.Scalar]
  var script: Script
  var isRightToLeft: Bool

  /// The runs of a name in their visual order from left to right.
  ///
  /// Names have no nested quotations, so three rules of Unicode's bidirectional algorithm suffice: characters without a
  /// direction between two runs of the same direction take that direction; others take the whole name's; and runs
  /// against the name's direction keep their own order.
  static func inOrder(_ text: String) -> [Run] {
    let pieces = pieces(text)
    let isRightToLeft = leadsRight(pieces)
    return visual(joined(pieces, isRightToLeft), isRightToLeft)
  }

  /// Whether a line is read from the right: its first letter decides.
  static func isReadFromRight(_ text: String) -> Bool { leadsRight(pieces(text)) }

  private static func leadsRight(_ pieces: [Run]) -> Bool {
    pieces.first { $0.script != .any && $0.script != .digits }?.script.isRightToLeft ?? false
  }

  /// Cuts a name wherever the script changes.
  private static func pieces(_ text: String) -> [Run] {
    var pieces: [Run] = []
    for scalar in text.unicodeScalars {
      let script = Script(of: scalar)
      if let last = pieces.last, script == last.script || script == .inherited {
        pieces[pieces.count - 1].scalars.append(scalar)
      } else {
        pieces.append(Run(scalars: [scalar], script: script, isRightToLeft: script.isRightToLeft))
      }
    }
    return pieces
  }

  /// Joins spaces, hyphens and other characters without a script to the run before them, or makes them a run with a
  /// direction.
  private static func joined(_ pieces: [Run], _ isRightToLeft: Bool) -> [Run] {
    var runs: [Run] = []
    for (index, piece) in pieces.enumerated() {
      let direction = index + 1 < pieces.count ? pieces[index + 1].isRightToLeft : isRightToLeft
      let belongs = piece.script == .any ? runs.last?.isRightToLeft == direction : runs.last?.script == piece.script
      if belongs {
        runs[runs.count - 1].scalars += piece.scalars
      } else {
        runs.append(piece)
        if piece.script == .any { runs[runs.count - 1].isRightToLeft = isRightToLeft }
      }
    }
    return runs
  }

  private static func visual(_ runs: [Run], _ isRightToLeft: Bool) -> [Run] {
    var reading: [Run] = []
    var against: [Run] = []
    for run in runs {
      if run.isRightToLeft == isRightToLeft {
        reading += against.reversed() + [run]
        against = []
      } else {
        against.append(run)
      }
    }
    reading += against.reversed()
    return isRightToLeft ? reading.reversed() : reading
  }
}
