/// How many calls each gateway may hand over.
extension Worker {
  /// Raises credit to what is free. With several gateways, slots go where calls wait; each keeps at least one.
  mutating func grantCredit() {
    guard !isDraining else { return }
    let established = links.keys.filter { links[$0]?.link.isEstablished == true }.sorted()
    guard !established.isEmpty else { return }
    let free = max(0, configuration.slots + configuration.prefetch - slotsHeld - queue.count - assembling)
    if established.count == 1 {
      if let credit = links[established[0]]?.grant(unused: free) { sendCredit(credit, on: established[0]) }
      return
    }
    let weights = established.map { Double(links[$0]?.demand ?? 0) + Double(links[$0]?.calls.count ?? 0) + 1 }
    let total = weights.reduce(0, +)
    // What lies unused where nothing waits cannot be taken back; it counts as one, and if it is used after all, calls
    // wait here for a moment.
    var left = free - established.reduce(0) { $0 + reserved(on: $1) }
    for (link, weight) in zip(established, weights) {
      let unused = links[link]?.unused ?? 0
      let share = max(1, Int(Double(free) * weight / total))
      let wanted = unused == 0 ? max(1, min(share, left)) : min(share, unused + max(0, left))
      guard let credit = links[link]?.grant(unused: wanted) else { continue }
      left -= wanted - unused
      sendCredit(credit, on: link)
    }
  }

  private func reserved(on link: LinkID) -> Int {
    guard let known = links[link] else { return 0 }
    return known.demand == 0 ? min(1, known.unused) : known.unused
  }
}
