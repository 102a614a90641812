internal import FuzzTargets

#if FUZZING
/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
  if let complaint = CodecTarget.complaint(about: input) { fatalError(complaint) }
  return 0
}
#endif
