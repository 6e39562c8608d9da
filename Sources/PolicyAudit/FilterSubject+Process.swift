import ClassicBPF

extension FilterSubject {
  /// The filters that a running process is under, stacked as they were loaded; none allow all.
  ///
  /// - Throws: when there is no such process, or its filters cannot be read: they are never taken
  ///   for none.
  public init(ofProcess process: Int32) throws(AuditError) {
    let inspection = try ProcessInspection(of: process)
    let name = "pid:\(process)"
    switch inspection.mode {
    case .read(.none), .read(.filter): break
    case .read(.strict):
      throw AuditError(
        "\(name) is in seccomp's strict mode, which has no program: only read, write, exit and the "
          + "return from a signal are allowed")
    case .notPermitted(let reason), .unknown(let reason): throw AuditError("\(name): \(reason)")
    }
    switch inspection.filters {
    case .read(let programs): self.init(name: name, programs: programs)
    case .notPermitted(let reason):
      throw AuditError("the filters of \(name) may not be read: \(reason)")
    case .unknown(let reason):
      throw AuditError("the filters of \(name) cannot be read: \(reason)")
    }
  }
}
