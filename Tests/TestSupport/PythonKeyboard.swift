/// Keyboards in Python for the tests: a faithful one, and a place to put what another does.
public enum PythonKeyboard {
  /// A whole script: the faithful keyboard, then the body, which ends in `serve(...)`.
  ///
  /// Names for the body: `send(**message)`, `write(bytes)`, `answer(request)` (types what the key
  /// types), `initialize(request)` (the handshake), `number()` (how many events came, this one
  /// counted), `serve(on_event=…, on_initialize=…)`.
  public static func script(_ body: String) -> String { faithful + body + "\n" }

  /// A keyboard that types each key as it is.
  public static let plain = script("serve()")

  /// A keyboard whose text tells that it typed it: capital letters.
  public static let shouting = script(
    """
    def shout(request):
        reply(request, [{"insertText": typed(request).upper()}])
    serve(shout)
    """)

  private static let faithful = #"""
    #!/usr/bin/python3
    import json, os, signal, sys, time

    KEYS = [[{"id": "key " + c, "label": c, "role": "character", "insertText": c} for c in row]
            for row in ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm,.")]
    KEYS.append([{"id": "space", "label": "space", "role": "space", "insertText": " ", "width": 4},
                 {"id": "delete", "label": "delete", "role": "delete"}])
    TEXT = {key["id"]: key.get("insertText", "") for row in KEYS for key in row}
    events = 0

    def write(data):
        while data:
            data = data[os.write(3, data):]

    def send(**message):
        write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def reply(request, edits, **more):
        send(id=request["id"], result={"edits": edits, **more})

    def initialize(request):
        send(id=request["id"], result={"protocolVersion": 1, "layout": {"rows": KEYS}})

    def typed(request):
        event = request["params"]["event"]
        if "tap" in event:
            return TEXT[event["tap"]]
        return event.get("hardwareKey", {}).get("characters", "")

    def answer(request):
        if request["params"]["event"].get("tap") == "delete":
            reply(request, [{"deleteBackward": 1}])
        else:
            reply(request, [{"insertText": typed(request)}])

    def number():
        return events

    def ignore(message):
        pass

    def serve(on_event=answer, on_initialize=initialize, on_other=ignore):
        global events
        while True:
            line = sys.stdin.buffer.readline()
            if not line:
                break
            message = json.loads(line)
            method = message.get("method")
            if method == "initialize":
                on_initialize(message)
            elif method == "event":
                events += 1
                on_event(message)
            elif method == "shutdown":
                send(id=message["id"], result=None)
            elif method == "exit":
                break
            else:
                on_other(message)

    """#
}
