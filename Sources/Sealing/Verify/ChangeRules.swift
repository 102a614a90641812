/// What may change in a document after one of its signatures.
struct ChangeRules {
  /// What the document's certificate permits: 1 nothing, 2 to fill in and sign, 3 also to comment; nil without one.
  let permission: Int?
  /// Whether the signature is that certificate.
  let certifies: Bool
  let locked: LockedFields?

  /// How something stands that changes nothing of what was signed as long as nobody forbids it.
  var aside: Change.Standing { permission.map { $0 < 3 } == true ? .forbidden : .open }

  /// How it stands that somebody commented on a page.
  var commenting: Change.Standing { aside }

  /// How it stands that something was made ready for filling in the form.
  var preparing: Change.Standing { permission == 1 ? .forbidden : .permitted }

  /// How it stands that a field was changed in a way in which nobody fills it in.
  var unasked: Change.Standing { permission == 1 ? .forbidden : .open }

  /// How it stands that a field of the form was filled in.
  ///
  /// - Parameter wasFilled: whether it had a value before. Only who certifies a form can mean that others may change
  ///   what stands in it: who signs signs what they saw.
  func filling(wasFilled: Bool) -> Change.Standing {
    switch permission {
    case nil: .open
    case 1?: .forbidden
    default: certifies || !wasFilled ? .permitted : .open
    }
  }

  /// How a further signature stands that covers a part of a page.
  var covering: Change.Standing {
    switch permission {
    case nil: .permitted
    case 3?: .open
    default: .forbidden
    }
  }
}
