#if FUZZING
internal import CFuzzer
internal import MarkupFuzzTargets

/// The function that libFuzzer calls with each input.
private let testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { data, count in
  let input = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
  if let complaint = MarkupTarget.complaint(about: input) { fatalError(complaint) }
  return 0
}

/// The program's start, under the name that the package manager's linking expects in place of `main`.
@c(markup_fuzz_main)
public func main(_ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  var (count, words) = unsafe (count, words)
  return unsafe LLVMFuzzerRunDriver(&count, &words, testOneInput)
}
#endif
