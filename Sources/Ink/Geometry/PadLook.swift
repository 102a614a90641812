/// `pad-1`: the geometry of signature_pad 5.
///
/// It keeps the pad's definitions: samples nearer than 5 pixels to the last kept one are dropped, unless a pad has
/// dropped them already; the radius follows the filtered velocity; curves run from sample to sample with controls
/// between midpoints, weighted by length; along a curve the radius moves with t³. The pad passes the two controls in
/// the wrong order, so that each curve first heads for its second one. Signers saw it so, and therefore this does the
/// same.
///
/// Two things are added that the pad leaves out: the segment to the last sample, and a stroke of two samples. Time that
/// runs backward means no speed instead of a negative one.
struct PadLook {
  let nib: Nib
  /// Whether a pad has chosen the samples.
  let isFiltered: Bool

  private static let leastDistance: Float = 5

  func line(through samples: [Sample]) -> Line {
    let kept = isFiltered ? samples : apart(samples)
    guard kept.count > 1 else {
      return Line(spans: kept.map { Span(dot: Node($0.x, $0.y, radius: nib.dotRadius)) })
    }
    var spans: [Span] = []
    spans.reserveCapacity(kept.count - 1)
    var velocity: Float = 0
    var radius = (nib.minimumRadius + nib.maximumRadius) / 2
    for index in 1..<kept.count {
      let from = kept[index - 1], to = kept[index]
      // At either end, the end itself serves as the missing neighbour, as in the pad at the start.
      let before = kept[max(0, index - 2)], after = kept[min(kept.count - 1, index + 1)]
      velocity = filtered(velocity, from, to)
      let next = max(nib.maximumRadius / (velocity + 1), nib.minimumRadius)
      let leaving = Self.controls(before, from, to).after
      let arriving = Self.controls(from, to, after).before
      spans.append(
        Span(
          start: Node(from.x, from.y, radius: radius),
          // A radius that stays for three controls and changes at the fourth moves with t³.
          control1: Node(arriving.x, arriving.y, radius: radius),
          control2: Node(leaving.x, leaving.y, radius: radius),
          end: Node(to.x, to.y, radius: next)))
      radius = next
    }
    return Line(spans: spans)
  }

  private func apart(_ samples: [Sample]) -> [Sample] {
    var kept: [Sample] = []
    kept.reserveCapacity(samples.count)
    for sample in samples {
      if let last = kept.last, sample.distance(to: last) <= Self.leastDistance { continue }
      kept.append(sample)
    }
    return kept
  }

  private func filtered(_ last: Float, _ from: Sample, _ to: Sample) -> Float {
    let elapsed = to.time - from.time
    let current = elapsed > 0 ? to.distance(to: from) / elapsed : 0
    return nib.velocityFilterWeight * current + (1 - nib.velocityFilterWeight) * last
  }

  /// The two controls around `middle`: the midpoints of its neighbouring segments, moved so that the line between
  /// them passes through it, dividing it as the segments' lengths do.
  private static func controls(
    _ first: Sample, _ middle: Sample, _ last: Sample
  ) -> (before: SIMD2<Float>, after: SIMD2<Float>) {
    let here = SIMD2(middle.x, middle.y)
    let before = (SIMD2(first.x, first.y) + here) / 2
    let after = (here + SIMD2(last.x, last.y)) / 2
    let lengthBefore = first.distance(to: middle), lengthAfter = middle.distance(to: last)
    let whole = lengthBefore + lengthAfter
    let share = whole > 0 ? lengthAfter / whole : 0
    let shift = here - (after + (before - after) * share)
    return (before + shift, after + shift)
  }
}
