/// What the return key does in a field. The names are those of `UIReturnKeyType`.
public enum ReturnKeyType: String, Sendable, Equatable, Hashable, CaseIterable {
  case `default`
  case go
  case google
  case join
  case next
  case route
  case search
  case send
  case yahoo
  case done
  case emergencyCall
  case `continue`
}
