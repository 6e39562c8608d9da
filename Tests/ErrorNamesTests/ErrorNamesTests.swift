import ErrorNames
import Glibc
import Testing

@Suite("Error numbers in words")
struct ErrorNamesTests {
  @Test("every meaning is the C library's own, in the C locale", arguments: 1..<134 as Range<Int32>)
  func meanings(number: Int32) {
    guard ErrorNames.name(number) != nil else { return }
    #expect(ErrorNames.meaning(number) == String(cString: strerror(number)))
  }

  @Test("the names are those of the C constants")
  func names() {
    let known: [(Int32, String)] = [
      (EPERM, "EPERM"), (ENOENT, "ENOENT"), (EAGAIN, "EAGAIN"), (EACCES, "EACCES"),
      (ENOSYS, "ENOSYS"), (EOPNOTSUPP, "EOPNOTSUPP"), (EINPROGRESS, "EINPROGRESS"),
      (ECONNREFUSED, "ECONNREFUSED"), (ENOTSOCK, "ENOTSOCK"), (ECANCELED, "ECANCELED"),
    ]
    for (number, name) in known { #expect(ErrorNames.name(number) == name) }
    #expect(ErrorNames.description(EACCES) == "Permission denied (EACCES)")
  }

  @Test("a number that nobody has a name for is told as a number", arguments: [-1, 0, 4000, .max])
  func unknown(number: Int32) {
    #expect(ErrorNames.name(number) == nil)
    #expect(ErrorNames.description(number) == "error number \(number)")
  }
}
