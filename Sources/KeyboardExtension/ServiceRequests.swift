import PluginProtocol

/// A keyboard's questions to services, on their way.
struct ServiceRequests {
  private enum Waiting {
    /// What came so far: contacts come in pages.
    case contacts([Contact], ContactStore.Completion)
    case location(LocationManager.Completion)
  }

  /// The most contacts that are collected.
  private static let maximumContacts = 10_000
  private var waiting: [Int64: Waiting] = [:]

  mutating func send(
    from controller: InputViewController, _ nextRequest: inout Int64, _ output: inout [UInt8]
  ) {
    for completion in controller.contactStore.requests {
      ask(.contacts([], completion), offset: 0, &nextRequest, &output)
    }
    controller.contactStore.requests = []
    for completion in controller.locationManager.requests {
      ask(.location(completion), offset: 0, &nextRequest, &output)
    }
    controller.locationManager.requests = []
  }

  private mutating func ask(
    _ question: Waiting, offset: Int, _ nextRequest: inout Int64, _ output: inout [UInt8]
  ) {
    waiting[nextRequest] = question
    switch question {
    case .contacts:
      output += PluginMessage.contacts(id: nextRequest, offset: offset).encoded()
    case .location: output += PluginMessage.location(id: nextRequest).encoded()
    }
    nextRequest += 1
  }

  mutating func finish(
    _ id: Int64, _ page: ContactsPage, _ nextRequest: inout Int64, _ output: inout [UInt8]
  ) {
    guard case .contacts(var contacts, let completion) = waiting.removeValue(forKey: id) else {
      return
    }
    contacts += page.contacts
    if let next = page.nextOffset, next >= contacts.count, contacts.count < Self.maximumContacts {
      ask(.contacts(contacts, completion), offset: next, &nextRequest, &output)
    } else {
      completion(.success(contacts))
    }
  }

  mutating func finish(_ id: Int64, _ location: Location) {
    guard case .location(let completion) = waiting.removeValue(forKey: id) else { return }
    completion(.success(location))
  }

  mutating func fail(_ id: Int64, _ error: ServiceError) {
    switch waiting.removeValue(forKey: id) {
    case .contacts(_, let completion): completion(.failure(error))
    case .location(let completion): completion(.failure(error))
    case nil: break
    }
  }
}
