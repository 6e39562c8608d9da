import CommandLineInterface
import GeoClue
import KeyboardHost
import LinuxSystem
import StrictJSON
import TerminalText

let locationCommand = Command(
  "location", abstract: "Say where keyboards are told that this machine is.",
  discussion: [
    """
    A keyboard is told the location only with open access and `keyhost grant KEYBOARD location`. It \
    comes from GeoClue, which asks its own settings, or is a place that you set.
    """
  ],
  subcommands: [
    Command(
      "set", abstract: "Tell keyboards this place.",
      arguments: [
        Argument("LATITUDE", "Degrees, north positive, such as 48.21."),
        Argument("LONGITUDE", "Degrees, east positive, such as -16.37."),
      ],
      options: [
        .value("accuracy", "METRES", "How far off it may be; 0 if not given."), .json,
      ],
      action: { invocation, console in
        guard let latitude = number(invocation.argument("LATITUDE")),
          let longitude = number(invocation.argument("LONGITUDE")),
          let accuracy = number(invocation.value("accuracy") ?? "0"),
          let place = FixedPlace(latitude: latitude, longitude: longitude, accuracy: accuracy)
        else {
          throw UsageError(
            "a place is degrees from -90 to 90 and from -180 to 180, and its accuracy metres from 0 "
              + "to \(Int(FixedPlace.accuracies.upperBound))")
        }
        let context = try HostContext()
        try PlaceChoice(paths: context.paths).set(place, log: try context.openLog())
        return try show(context, invocation, console)
      }),
    Command(
      "off", abstract: "Forget the place: GeoClue is asked.", options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        try PlaceChoice(paths: context.paths).set(nil, log: try context.openLog())
        return try show(context, invocation, console)
      }),
    Command(
      "show", abstract: "Say where the location comes from.",
      options: [
        .flag("ask", "Ask GeoClue now, as for a keyboard, if no place is set."), .json,
      ],
      action: { invocation, console in try show(try HostContext(), invocation, console) }),
  ])

private func number(_ text: String) -> Double? {
  // What Swift reads as a number besides, such as `nan` and `0x1p3`, people do not mean.
  text.utf8.allSatisfy { Array("0123456789+-.".utf8).contains($0) } ? Double(text) : nil
}

private func show(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let place = try PlaceChoice(paths: context.paths).current()
  var fix: (latitude: Double, longitude: Double, accuracy: Double)?
  var problem: String?
  if let place {
    fix = (place.latitude, place.longitude, place.accuracy)
  } else if invocation.has("ask") {
    let bus = ProcessControl.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? GeoClue.systemBus
    do throws(GeoClue.Problem) {
      let found = try GeoClue(address: bus).locate(milliseconds: 10_000)
      fix = (found.latitude, found.longitude, found.accuracy)
    } catch {
      problem = VisibleText.escape(error.description, limit: 400)
    }
  } else if !GeoClue.isThere {
    problem = "the library that asks GeoClue is not there: install libsystemd0"
  }
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("source", place == nil ? "geoclue" : "fixed")
      for (key, value) in [
        ("latitude", fix?.latitude), ("longitude", fix?.longitude), ("accuracy", fix?.accuracy),
      ] {
        writer.key(key)
        if let value { writer.value(value) } else { writer.null() }
      }
      writer.member("problem", orNull: problem)
      writer.endObject()
    }
  } else {
    let source = place == nil ? "GeoClue" : "the place that you set"
    let found = fix.map { ": \($0.latitude) \($0.longitude), within \($0.accuracy) m" } ?? ""
    try console.print("The location comes from \(source)\(found).")
    if let problem { console.printError("keyhost: \(problem)") }
  }
  return problem == nil ? .success : .failure
}
