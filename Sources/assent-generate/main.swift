internal import Base
internal import Generator

// assent-generate c-descriptors SET OUT              prepares a descriptor set for protoc-c
// assent-generate swift SET VALUES CONVERSIONS       writes Swift sources into two folders
//
// scripts/generate calls it; everything it does is in the Generator library.

func run(_ arguments: [String]) throws {
  switch (arguments.first, arguments.count) {
  case ("c-descriptors", 3):
    try Files.write(CDescriptors.strip(Files.read(arguments[1])), to: arguments[2])
  case ("swift", 4):
    let generation = try Generation(Contract(DescriptorSet(decoding: Files.read(arguments[1]))))
    for file in generation.values { try Files.write(Array(file.text.utf8), to: "\(arguments[2])/\(file.name)") }
    for file in generation.conversions { try Files.write(Array(file.text.utf8), to: "\(arguments[3])/\(file.name)") }
  default:
    throw GeneratorError("usage: assent-generate c-descriptors SET OUT | swift SET VALUES CONVERSIONS")
  }
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  Complaint.end("assent-generate: \(error)")
}
