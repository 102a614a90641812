package import Base
package import Ink
internal import Synchronization

/// A cache of pictures, up to a number of bytes; the least recently used is evicted first.
package final class PictureCache: Sendable {
  private let state: Mutex<State>

  package init(byteLimit: Int) {
    state = Mutex(State(byteLimit: byteLimit))
  }

  package func picture(_ key: Digest) -> Picture? { state.withLock { $0.take(key) } }

  package func insert(_ picture: Picture, for key: Digest) { state.withLock { $0.insert(picture, for: key) } }

  /// The size of the cached pictures with their bookkeeping.
  package var byteCount: Int { state.withLock(\.byteCount) }

  package var count: Int { state.withLock { $0.places.count } }

  /// Entries in an array. Their indexes link them to a list from the most to the least recently used.
  private struct State {
    let byteLimit: Int
    var byteCount = 0
    var places: [Digest: Int] = [:]
    var entries: [Entry] = []
    var vacant: [Int] = []
    var newest: Int?
    var oldest: Int?

    struct Entry {
      var key: Digest
      /// nil in a vacant entry.
      var picture: Picture?
      var newer: Int?
      var older: Int?

      var weight: Int { (picture?.bytes.count ?? 0) + PictureCache.overhead }
    }

    init(byteLimit: Int) {
      self.byteLimit = byteLimit
    }

    mutating func take(_ key: Digest) -> Picture? {
      guard let place = places[key] else { return nil }
      unlink(place)
      linkAsNewest(place)
      return entries[place].picture
    }

    mutating func insert(_ picture: Picture, for key: Digest) {
      // One huge picture must not evict everything else.
      guard picture.bytes.count <= byteLimit / 8, places[key] == nil else { return }
      let entry = Entry(key: key, picture: picture)
      let place = vacant.popLast() ?? entries.count
      if place < entries.count { entries[place] = entry } else { entries.append(entry) }
      places[key] = place
      byteCount += entry.weight
      linkAsNewest(place)
      while byteCount > byteLimit, let oldest { remove(oldest) }
    }

    private mutating func remove(_ place: Int) {
      unlink(place)
      byteCount -= entries[place].weight
      places[entries[place].key] = nil
      entries[place].picture = nil
      vacant.append(place)
    }

    private mutating func unlink(_ place: Int) {
      let (newer, older) = (entries[place].newer, entries[place].older)
      if let newer { entries[newer].older = older } else { newest = older }
      if let older { entries[older].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ place: Int) {
      entries[place].newer = nil
      entries[place].older = newest
      if let newest { entries[newest].newer = place } else { oldest = place }
      newest = place
    }
  }

  /// The approximate size of an entry besides the picture's bytes.
  private static let overhead = 256
}
