/// How many calls each gateway may dispatch here.
///
/// Credit is the number of free slots plus, while no call waits here, the prefetch. It can only be raised: a gateway
/// may use at any time what it was promised.
extension Worker {
  /// Raises credit to what is free. With several gateways, slots go where calls wait; each keeps at least one.
  mutating func grantCredit() {
    guard !isDraining else { return }
    let taken = slotsHeld + queue.count + assembling
    let isFull = calls.count >= configuration.openCallLimit
    let free = isFull ? 0 : max(0, configuration.slots - taken)
    let ahead = isFull ? 0 : max(0, configuration.prefetch - max(0, taken - configuration.slots))
    if links.links.count == 1 {
      grant(free + ahead, on: links.links[0])
    } else if !isFull {
      share(free, and: ahead)
    }
  }

  private mutating func grant(_ unused: Int, on link: LinkID) {
    if let credit = links.change(link, { $0.takesCredit ? $0.grant(unused: unused) : nil }) ?? nil {
      sendCredit(credit, on: link)
    }
  }

  private mutating func share(_ free: Int, and ahead: Int) {
    var total = 0.0
    var left = free
    for link in links.links {
      guard let known = links[link], known.takesCredit else { continue }
      total += known.weight
      left -= known.reserved(beyond: ahead)
    }
    for link in links.links {
      guard let known = links[link], known.takesCredit else { continue }
      let has = max(0, known.unused - ahead)
      let share = max(known.least(ofFree: free), Int(Double(free) * known.weight / total))
      // A gateway without credit always gets its minimum: otherwise a busy one would shut out the others.
      let slots = has == 0 ? max(known.least(ofFree: free), min(share, left)) : max(has, min(share, has + left))
      left -= max(0, slots - has)
      grant(slots + ahead, on: link)
    }
  }
}

extension WorkerLink {
  /// Whether a gateway at the other end can use credit.
  fileprivate var takesCredit: Bool { link.takesCalls }

  /// A gateway's weight in the division of free slots: the calls that wait there and those that it has here, plus one.
  fileprivate var weight: Double { Double(demand) + Double(calls.count) + 1 }

  /// Slots that were promised and not used. An unused promise to a gateway without waiting calls cannot be taken back;
  /// it counts as one slot, and if it is used after all, calls wait here for a moment.
  fileprivate func reserved(beyond ahead: Int) -> Int {
    let slots = max(0, unused - ahead)
    return demand == 0 ? min(1, slots) : slots
  }

  /// One slot while any is free. A gateway that has no call here gets one even if the calls of others take all slots.
  fileprivate func least(ofFree free: Int) -> Int { free > 0 || calls.isEmpty ? 1 : 0 }
}
