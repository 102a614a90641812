internal import AccountContract

/// How many bytes of people's pictures still fit into one message. A picture that does not fit is left out, and clients
/// show the person's initials instead.
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
