import GeoClue
import Glibc
import PluginProtocol
import Synchronization

/// Where the answers of services come from, asked in the threads of ``ServiceWorker``: the vCard files,
/// a place that the user set, GeoClue.
final class ServiceSources: Sendable {
  /// How long GeoClue is waited for, in milliseconds: a satellite's fix can take that long.
  static let patience: UInt32 = 10_000
  /// A location, or that there is none, is good for so long, in seconds: whoever asks again and again
  /// costs no more than one question.
  static let freshness = 5.0

  private struct State {
    var cards: ContactCards?
    var folders: [String] = []
    var place: FixedPlace?
    var last: (answer: ServiceAnswer, time: Double)?
  }
  private let state = Mutex(State())
  private let geoClue: GeoClue

  init(geoClue: GeoClue) { self.geoClue = geoClue }

  func adopt(folders: [String], place: FixedPlace?) {
    state.withLock { state in
      if state.folders != folders { state.cards = nil }
      state.folders = folders
      if state.place != place { state.last = nil }
      state.place = place
    }
  }

  func answer(_ question: ServiceQuestion) -> ServiceAnswer {
    switch question {
    case .contacts(let offset): contacts(from: offset)
    case .location: location()
    }
  }

  private func contacts(from offset: Int) -> ServiceAnswer {
    let (folders, known) = state.withLock { ($0.folders, $0.cards) }
    // Later pages are of what the first one was of.
    let cards =
      offset > 0 ? known ?? ContactCards(folders: folders) : ContactCards(folders: folders)
    state.withLock { state in
      if state.folders == folders { state.cards = cards }
    }
    return .contacts(ContactsPage(of: cards.contacts, from: offset))
  }

  private func location() -> ServiceAnswer {
    let (place, last) = state.withLock { ($0.place, $0.last) }
    let time = Self.now
    if let place {
      return Self.answer(place.latitude, place.longitude, place.accuracy, time)
    }
    if let last, (0..<Self.freshness).contains(time - last.time) { return last.answer }
    let answer: ServiceAnswer
    do throws(GeoClue.Problem) {
      let fix = try geoClue.locate(milliseconds: Self.patience)
      answer = Self.answer(fix.latitude, fix.longitude, fix.accuracy, Self.now)
    } catch {
      answer = .unavailable(
        "\(error.description). The user can set a place with `keyhost location set`")
    }
    state.withLock { state in
      if state.place == place { state.last = (answer, Self.now) }
    }
    return answer
  }

  private static func answer(
    _ latitude: Double, _ longitude: Double, _ accuracy: Double, _ time: Double
  ) -> ServiceAnswer {
    let location = Location(
      latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy, timestamp: time)
    return location.map(ServiceAnswer.location) ?? .unavailable("there is no location on Earth")
  }

  /// Seconds since 1970.
  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
