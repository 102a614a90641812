internal import RPC

extension Actor {
  /// People with each role at several places, participants, guardians, devices, services, an operator, people who bear
  /// the same names in another tenant, and those who have nothing to do with anything.
  package static let everybody: [Actor] = {
    var actors: [Actor] = []
    for role in ["witness", "investigator", "coordinator", "inspector", "publisher", "admin"] {
      for place in ["heart", "heart/north", "lung", "*"] {
        actors.append(Actor(name: "\(role)-\(place)", grants: ["\(role)@\(place)"]))
      }
      actors.append(Actor(name: "\(role)-elsewhere", tenant: "t2", grants: ["\(role)@*"]))
    }
    actors += ["bea", "ben", "lea", "gil", "gus", "zoe", "pad-bea"].map { Actor(name: $0) }
    actors += ["bea", "gil", "tea", "asa"].map { Actor(name: $0, tenant: "t2") }
    actors += ["pad-bea", "pad-ben", "kiosk", "bea"].map { Actor(name: $0, kind: .device) }
    actors.append(Actor(name: "kiosk-north", kind: .device, grants: ["device@heart/north"]))
    actors.append(Actor(name: "kiosk-south", kind: .device, grants: ["device@heart/south"]))
    actors.append(Actor(name: "kiosk-staff", kind: .device, grants: ["investigator@*"]))
    actors.append(Actor(name: "pad-bea", kind: .device, tenant: "t2"))
    actors.append(Actor(name: "asa", grants: ["coordinator@heart"]))
    actors.append(Actor(name: "asb", grants: ["coordinator@heart/south"]))
    actors.append(Actor(name: "bea", grants: ["investigator@heart"]))
    actors.append(Actor(name: "everything", grants: ["participant@*", "guardian@*", "operator@*", "service@*"]))
    actors.append(Actor(name: "signature", kind: .service))
    actors.append(Actor(name: "signature", kind: .service, tenant: "t2"))
    actors.append(Actor(name: "ops", kind: .operator, tenant: ""))
    actors.append(Actor(name: "", kind: .stranger, tenant: ""))
    return actors
  }()
}
