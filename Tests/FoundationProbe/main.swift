// A dynamic program that uses much of Foundation and Dispatch, to be run under the filter.
import Dispatch
import Foundation

/// A function of its own: closures of the top level belong to the main actor.
func probe() throws {
  let folder = URL(fileURLWithPath: CommandLine.arguments[1])
  let file = folder.appendingPathComponent("a.json")
  let data = try JSONSerialization.data(withJSONObject: ["date": "\(Date())", "pi": 3.14])
  try data.write(to: file, options: .atomic)
  try data.write(to: file, options: .atomic)
  _ = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
  try FileManager.default.createDirectory(
    at: folder.appendingPathComponent("d/e"), withIntermediateDirectories: true)
  _ = try FileManager.default.contentsOfDirectory(atPath: folder.path)
  _ = try FileManager.default.attributesOfItem(atPath: file.path)
  // By sendfile(2), without which it would fail.
  try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent("copy.json"))
  try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("b.json"))
  try FileManager.default.removeItem(at: folder.appendingPathComponent("d"))

  let queue = DispatchQueue(label: "probe", attributes: .concurrent)
  let group = DispatchGroup()
  for _ in 0..<16 { queue.async(group: group) { usleep(1000) } }
  group.wait()
  let timer = DispatchSource.makeTimerSource()
  let semaphore = DispatchSemaphore(value: 0)
  timer.schedule(deadline: .now() + 0.01)
  timer.setEventHandler { semaphore.signal() }
  timer.resume()
  semaphore.wait()
  Thread { semaphore.signal() }.start()
  semaphore.wait()
  RunLoop.current.run(until: Date().addingTimeInterval(0.01))
  let regex = try NSRegularExpression(pattern: "[a-z]+")
  let text = "hello wörld"
  print(
    regex.numberOfMatches(in: text, range: NSRange(text.startIndex..., in: text)),
    UUID().uuidString.count, Locale.current.identifier.isEmpty, text.capitalized)
}

switch CommandLine.arguments[1] {
case "crash":
  // The Swift runtime's own crash reporter would wait for threads that it may not signal.
  let thread = Thread { fatalError("crashed on purpose") }
  thread.start()
  sleep(60)
default: try probe()
}
