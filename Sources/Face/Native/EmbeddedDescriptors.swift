internal import CDescriptors

/// The contract that this program was built with.
package enum EmbeddedDescriptors {
  /// Its descriptor set.
  package static var bytes: [UInt8] {
    var count = 0
    let start = unsafe assent_descriptors(&count)
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// The contract's proto files, by their paths below proto/.
  package static var files: [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    var name: UnsafePointer<CChar>?
    var count = 0
    while let start = unsafe assent_proto_file(files.count, &name, &count), let name = unsafe name {
      unsafe files.append((String(cString: name), Array(UnsafeBufferPointer(start: start, count: count))))
    }
    return files
  }
}
