import CLinux
import Glibc

/// An execve(2) for which nothing is left to do but the call, so that it can be made where no
/// memory can be had any more.
public struct PreparedExecution: ~Copyable {
  private let path: CStringArray
  private let arguments: CStringArray
  private let environment: CStringArray

  public init(_ path: String, arguments: [String], environment: [String]) {
    self.path = CStringArray([path])
    self.arguments = CStringArray(arguments)
    self.environment = CStringArray(environment)
  }

  /// Becomes the program.
  ///
  /// - Returns: only when it could not.
  public borrowing func perform() -> Errno {
    let result = unsafe clinux_execve(
      path.pointers[0], arguments.pointers, environment.pointers)
    return Errno(rawValue: Int32(truncatingIfNeeded: -result))
  }
}

/// Strings in the form that C programs take them, freed with the value.
@safe final class CStringArray {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
    unsafe pointers[count] = nil
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
