import CFuzzer
import FuzzTargets
import Glibc

// keyhost-fuzz --list
// keyhost-fuzz TARGET [libFuzzer's options, corpus folders or a single input]
//
// The fuzzer's runtime has a `main` of its own, for programs that have none. This one has one,
// since Swift packages cannot be without.

func complain(_ message: String) {
  let line = message + "\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
}

let arguments = CommandLine.arguments
if arguments.dropFirst().first == "--list" {
  for target in FuzzTarget.allCases { print("\(target.rawValue) \(target.maximumLength)") }
  exit(0)
}
guard let target = arguments.dropFirst().first.flatMap(FuzzTarget.init(rawValue:)) else {
  complain("usage: keyhost-fuzz --list | keyhost-fuzz TARGET [OPTION or PATH ...]")
  exit(2)
}

/// The callback is a C function and captures nothing.
enum Running {
  nonisolated(unsafe) static var target = FuzzTarget.json
}
Running.target = target

// The fuzzer reads its options from the second argument on, and keeps the vector.
var vector = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
var count = Int32(vector.count - 1)
let status = vector.withUnsafeMutableBufferPointer { buffer in
  var start = buffer.baseAddress
  return LLVMFuzzerRunDriver(&count, &start) { data, size in
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    do {
      try Running.target.check(bytes)
    } catch {
      complain("\nfinding: \(error)")
      // The fuzzer's handler keeps the input and ends the program.
      abort()
    }
    return 0
  }
}
exit(status)
