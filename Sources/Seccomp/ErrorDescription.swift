import SandboxPolicy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `Operation not permitted (EPERM)`.
func describe(errorNumber: Int32) -> String {
  let text = unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error"
  let name = ErrorNumber.name(UInt16(clamping: errorNumber)) ?? "\(errorNumber)"
  return "\(text) (\(name))"
}
