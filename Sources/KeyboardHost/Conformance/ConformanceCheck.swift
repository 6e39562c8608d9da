/// What a keyboard is checked for: the guidelines for keyboards as far as they can be tested.
public enum ConformanceCheck: String, CaseIterable, Sendable {
  /// It starts and answers in time, without network and without open access.
  case startsWithoutAccess = "starts-without-access"
  /// Every key of every layout it shows is answered, in every type of field that it may serve.
  case answersEveryField = "answers-every-field"
  /// It comes back after a field that refuses it.
  case comesBack = "comes-back"
  /// A person who wants away from it can: no key of it stands in for the host's own.
  case repeatsNoHostKey = "repeats-no-host-key"
  /// It tries nothing that the sandbox refuses.
  case triesNothingRefused = "tries-nothing-refused"
  /// Its app says how it is enabled, in `HowTo.txt`.
  case hasHowTo = "has-how-to"
}
