import PluginManifest
import PluginProtocol

/// The services: whether a keyboard may ask, and what it is told.
extension HostCore {
  /// The most questions of one keyboard that wait for their answers.
  static let maximumQuestions = 4

  /// Why a keyboard gets nothing of a service.
  private struct Refusal {
    /// For the log.
    var reason: StaticString
    /// For the keyboard's author, with what the user can do.
    var message: String
  }

  func receive(_ question: ServiceQuestion, _ id: Int64, from instance: KeyboardInstance) {
    guard instance.isReady else { return breach(instance, Self.tooEarly) }
    guard instance.questions[id] == nil else {
      return breach(
        instance, ProtocolError(message: "the id \(id) is that of a request that waits"))
    }
    guard instance.questions.count < Self.maximumQuestions, instance.answersLeft.take(at: now)
    else {
      logRefusal(question.service, instance, "too-many")
      return reply(
        .failure(
          id: id, code: PluginMessage.tooMany, message: "that was asked for too often: try later"),
        to: instance)
    }
    if let refusal = refusal(of: question.service, to: instance) {
      if shouldAsk(question.service, for: instance) {
        instance.questions[id] = KeyboardInstance.PendingQuestion(question: question)
        return askUser(about: question.service, instance)
      }
      return refuse(refusal, question, id, instance)
    }
    begin(question, id, instance)
  }

  private func begin(_ question: ServiceQuestion, _ id: Int64, _ instance: KeyboardInstance) {
    instance.questions[id] = KeyboardInstance.PendingQuestion(
      question: question, deadline: now.adding(milliseconds: deadlines.service))
    emit(.serve(instance.id, request: id, question))
  }

  /// What holds when it asks and again when the answer is there: a grant may be gone by then.
  private func refusal(of service: KeyboardService, to instance: KeyboardInstance) -> Refusal? {
    let keyboard = instance.entry.identifier
    let entry = configuration.keyboard(keyboard) ?? instance.entry
    let name = service.rawValue
    guard instance.incognito == nil else {
      return Refusal(
        reason: "incognito", message: "an incognito field gets nothing of the user's own")
    }
    guard entry.declaredServices.contains(service) else {
      return Refusal(
        reason: "not-requested",
        message: "`\(name)` needs `\(service.usageKey)` in the keyboard's Info.plist")
    }
    guard instance.hasFullAccess, entry.hasFullAccess else {
      return Refusal(
        reason: "no-open-access",
        message: "`\(name)` needs open access: the user grants it with `keyhost grant \(keyboard) "
          + "open-access`, and then `keyhost grant \(keyboard) \(name)`")
    }
    guard entry.services.contains(service) else {
      return Refusal(
        reason: "not-granted",
        message: "the user grants it with `keyhost grant \(keyboard) \(name)`")
    }
    return nil
  }

  private func refuse(
    _ refusal: Refusal, _ question: ServiceQuestion, _ id: Int64, _ instance: KeyboardInstance
  ) {
    logRefusal(question.service, instance, refusal.reason)
    reply(
      .failure(id: id, code: PluginMessage.notAuthorized, message: refusal.message), to: instance)
  }

  private func logRefusal(
    _ service: KeyboardService, _ instance: KeyboardInstance, _ reason: StaticString
  ) {
    audit(
      .refusal, keyboard: instance.entry.identifier,
      [AuditField("capability", .term(service)), AuditField("reason", .term(reason))])
  }

  // MARK: The user

  /// Once a run, and only of what a grant would change: never while its keyboard is frozen, for then the
  /// user is at a secret.
  private func shouldAsk(_ service: KeyboardService, for instance: KeyboardInstance) -> Bool {
    guard canAskUser, instance.freeze == .running,
      let entry = configuration.keyboard(instance.entry.identifier), entry.hasFullAccess,
      instance.hasFullAccess, entry.declaredServices.contains(service)
    else { return false }
    let asking = AskedService(keyboard: entry.identifier, service: service)
    let isWaiting = instance.questions.values.contains {
      $0.deadline == nil && $0.question.service == service
    }
    return isWaiting || !asked.contains(asking)
  }

  private func askUser(about service: KeyboardService, _ instance: KeyboardInstance) {
    let asking = AskedService(keyboard: instance.entry.identifier, service: service)
    guard asked.insert(asking).inserted else { return }
    emit(.askUser(keyboard: asking.keyboard, service))
  }

  /// What waited for the user's decision goes on.
  func resolve(_ service: KeyboardService, of keyboard: String) {
    for instance in instances where instance.entry.identifier == keyboard {
      for (id, pending) in instance.questions.sorted(by: { $0.key < $1.key })
      where pending.deadline == nil && pending.question.service == service {
        instance.questions[id] = nil
        if let refusal = refusal(of: service, to: instance) {
          refuse(refusal, pending.question, id, instance)
        } else {
          begin(pending.question, id, instance)
        }
      }
    }
  }

  // MARK: Answers

  /// Late ones, for which it was answered already that there is none, are dropped.
  func take(_ answer: ServiceAnswer, for id: Int64, of instance: KeyboardInstance) {
    guard instance.questions[id] != nil, !instance.isEnding else { return }
    // Told, and decided, when it goes on: the user may take the grant back until then.
    guard instance.freeze == .running else { return instance.heldAnswers.append((id, answer)) }
    guard let pending = instance.questions.removeValue(forKey: id) else { return }
    let service = pending.question.service
    if let refusal = refusal(of: service, to: instance) {
      return refuse(refusal, pending.question, id, instance)
    }
    var fields = [AuditField("service", .term(service))]
    let message: HostMessage
    switch answer {
    case .contacts(let page):
      fields.append(AuditField("answers", .integer(page.contacts.count)))
      message = .contactsReply(id: id, page)
    case .location(let location):
      fields.append(AuditField("answers", .integer(1)))
      message = .locationReply(id: id, location)
    case .unavailable(let reason):
      fields.append(AuditField("answers", .integer(0)))
      message = .failure(id: id, code: PluginMessage.unavailable, message: reason)
    }
    // Before it is sent, as everything that is given away.
    audit(.service, keyboard: instance.entry.identifier, fields)
    reply(message, to: instance)
  }

  func expireQuestions(of instance: KeyboardInstance) {
    guard instance.freeze == .running else { return }
    for (id, pending) in instance.questions.sorted(by: { $0.key < $1.key }) {
      guard let deadline = pending.deadline, deadline <= now else { continue }
      take(.unavailable("no answer came in time"), for: id, of: instance)
    }
  }
}
