import Foundation

/// Which of the targets this process tries; named by `FUZZ_TARGET`.
let target: Target = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = Target(rawValue: name) else {
    fail("FUZZ_TARGET has to be one of: \(Target.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return target
}()

/// What libFuzzer calls for each input; its return value is reserved to be 0.
@_cdecl("LLVMFuzzerTestOneInput")
func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  Application.wait { [target] in await target.attempt(bytes) }
  return 0
}

/// libFuzzer's own loop, from its library: <https://llvm.org/docs/LibFuzzer.html>.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ attempt: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runDriver(&argumentCount, &arguments, tryOneInput))
