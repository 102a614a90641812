internal import AccountContract

/// The room that one message has for people's pictures. Where it is used up, people come without theirs, and their
/// initials stand in its place.
struct PictureRoom: Sendable {
  static let most = 4 << 20

  private var left = PictureRoom.most

  mutating func fitted(_ person: ListedPerson) -> ListedPerson {
    let bytes = person.profile?.picture.count ?? 0
    guard bytes > left else {
      left -= bytes
      return person
    }
    var person = person
    person.profile?.picture = []
    return person
  }
}
