import Testing

/// What a keyboard does wrong, and what the log must say.
struct Misbehaviour: Sendable, CustomTestStringConvertible {
  var name: String
  /// The body of a ``PythonKeyboard/script(_:)``.
  var body: String
  /// Kinds of audit lines of which at least one must be there.
  var log: [String]
  var testDescription: String { name }
}

extension Misbehaviour {
  /// Does something at the third event, and types faithfully otherwise.
  private static func atThird(_ action: String) -> String {
    """
    def misbehave(request):
        if number() != 3:
            return answer(request)
        \(action)
    serve(misbehave)
    """
  }

  static let all: [Misbehaviour] = [
    // Ends.
    Misbehaviour(name: "exits at once", body: "os._exit(0)", log: ["exit", "launchFailed"]),
    Misbehaviour(
      name: "raises at once", body: "raise RuntimeError('no')", log: ["exit", "launchFailed"]),
    Misbehaviour(
      name: "exits after the handshake",
      body: "def leave(request):\n    initialize(request)\n    os._exit(0)\n"
        + "serve(on_initialize=leave)",
      log: ["exit"]),
    Misbehaviour(name: "crashes at a key", body: atThird("os._exit(3)"), log: ["exit"]),
    Misbehaviour(
      name: "is ended by a signal at a key",
      body: atThird("signal.raise_signal(signal.SIGABRT)"), log: ["exit", "violation"]),
    Misbehaviour(
      name: "answers, then exits each time",
      body: "def once(request):\n    answer(request)\n    os._exit(0)\nserve(once)", log: ["exit"]),
    // Hangs.
    Misbehaviour(name: "never reads", body: "time.sleep(600)", log: ["launchFailed", "fallback"]),
    Misbehaviour(
      name: "reads, and never answers the handshake", body: "serve(on_initialize=ignore)",
      log: ["launchFailed", "fallback"]),
    Misbehaviour(
      name: "stops reading after the handshake",
      body: "def stop(request):\n    initialize(request)\n    time.sleep(600)\n"
        + "serve(on_initialize=stop)",
      log: ["fallback"]),
    Misbehaviour(name: "hangs at a key", body: atThird("time.sleep(600)"), log: ["fallback"]),
    Misbehaviour(
      name: "spins at a key", body: atThird("while True: pass"), log: ["fallback"]),
    Misbehaviour(
      name: "answers late", body: atThird("time.sleep(0.4); answer(request)"), log: ["fallback"]),
    // Breaks the protocol.
    Misbehaviour(name: "writes junk", body: atThird("write(b'hello\\n')"), log: ["protocolError"]),
    Misbehaviour(
      name: "writes bytes that are no text",
      body: atThird("write(bytes(range(128, 256)) + b'\\n')"), log: ["protocolError"]),
    Misbehaviour(
      name: "writes junk before the handshake", body: "write(b'banner\\n')\nserve()",
      log: ["protocolError"]),
    Misbehaviour(
      name: "writes half a line and exits", body: atThird("write(b'{\"jsonrpc\":'); os._exit(0)"),
      log: ["exit", "protocolError"]),
    Misbehaviour(
      name: "writes half a line and hangs",
      body: atThird("write(b'{\"jsonrpc\":'); time.sleep(600)"), log: ["fallback"]),
    Misbehaviour(
      name: "writes 10 MB without a newline", body: atThird("write(b'x' * 10_000_000)"),
      log: ["protocolError"]),
    Misbehaviour(
      name: "writes a valid line of more than 64 KiB",
      body: atThird("reply(request, [{\"insertText\": 'x' * 70_000}])"), log: ["protocolError"]),
    Misbehaviour(
      name: "writes a blank line", body: atThird("write(b'\\n')"), log: ["protocolError"]),
    Misbehaviour(
      name: "ends lines with CR LF",
      body: atThird(
        "write(json.dumps({'jsonrpc': '2.0', 'id': request['id'], "
          + "'result': {}}).encode() + b'\\r\\n')"),
      log: ["protocolError"]),
    Misbehaviour(
      name: "begins with a byte order mark",
      body: atThird("write(b'\\xef\\xbb\\xbf{}\\n')"), log: ["protocolError"]),
    Misbehaviour(
      name: "nests a hundred thousand deep",
      body: atThird("write(b'{\"x\":' + b'[' * 60_000 + b'\\n')"), log: ["protocolError"]),
    Misbehaviour(
      name: "repeats a key",
      body: atThird("write(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"result\":{}}\\n')"),
      log: ["protocolError"]),
    Misbehaviour(
      name: "answers with an error",
      body: atThird("send(id=request['id'], error={'code': -32000, 'message': 'no'})"),
      log: ["fallback", "protocolError"]),
    Misbehaviour(
      name: "answers with null", body: atThird("send(id=request['id'], result=None)"),
      log: ["protocolError"]),
    Misbehaviour(
      name: "answers something else than edits",
      body: atThird("send(id=request['id'], result={'edits': 'x'})"), log: ["protocolError"]),
    Misbehaviour(
      name: "answers a request that was never made",
      body: atThird("send(id=987654, result={'edits': []}); answer(request)"),
      log: ["protocolError", "lateAnswer"]),
    Misbehaviour(
      name: "answers twice", body: atThird("answer(request); answer(request)"),
      log: ["protocolError", "lateAnswer"]),
    Misbehaviour(
      name: "calls a method that does not exist",
      body: atThird("send(id=1, method='readEverything', params={}); answer(request)"),
      log: ["protocolError"]),
    Misbehaviour(
      name: "speaks another version",
      body: "def other(request):\n"
        + "    send(id=request['id'], result={'protocolVersion': 99, 'layout': {'rows': KEYS}})\n"
        + "serve(on_initialize=other)",
      log: ["protocolError"]),
    Misbehaviour(
      name: "shows a thousand keys",
      body: "def many(request):\n"
        + "    rows = [[{'id': str(i), 'label': 'x'} for i in range(1000)]]\n"
        + "    send(id=request['id'], result={'protocolVersion': 1, 'layout': {'rows': rows}})\n"
        + "serve(on_initialize=many)",
      log: ["protocolError"]),
    Misbehaviour(
      name: "floods with requests",
      body: atThird("[send(id=i, method='lexicon', params={}) for i in range(200_000)]"),
      log: ["protocolError", "violation", "fallback", "exit"]),
    // It waits for the host, which takes it in little by little.
    Misbehaviour(
      name: "writes megabytes to its errors before an answer",
      body: atThird("os.write(2, b'e' * 4_000_000)"), log: ["fallback", "exit", "lateAnswer"]),
    // Descriptors.
    Misbehaviour(
      name: "closes its answers", body: atThird("os.close(3); time.sleep(600)"),
      log: ["exit", "fallback", "protocolError"]),
    Misbehaviour(
      name: "closes its input", body: atThird("os.close(0); time.sleep(600)"),
      log: ["exit", "fallback", "protocolError"]),
    Misbehaviour(
      name: "closes everything", body: atThird("os.closerange(0, 100); time.sleep(600)"),
      log: ["exit", "fallback", "protocolError"]),
  ]

  /// What looks wrong and is not.
  static let harmless: [Misbehaviour] = [
    Misbehaviour(
      name: "prints on 1 and 2",
      body: "def chat(request):\n    print('\\x1b[31mhello', flush=True)\n"
        + "    print('oops', file=sys.stderr, flush=True)\n    answer(request)\nserve(chat)",
      log: []),
    Misbehaviour(
      name: "writes sixteen kilobytes to its errors before each answer",
      body: "def chat(request):\n    os.write(2, b'e' * 16_000)\n    answer(request)\n"
        + "serve(chat)",
      log: []),
    Misbehaviour(
      name: "closes what it does not need",
      body: "os.close(1)\nos.close(2)\nserve()", log: []),
    Misbehaviour(
      name: "answers a byte at a time",
      body: "def slow(request):\n    line = json.dumps({'jsonrpc': '2.0', 'id': request['id'], "
        + "'result': {'edits': [{'insertText': typed(request)}]}}).encode() + b'\\n'\n"
        + "    [write(bytes([byte])) for byte in line]\nserve(slow)",
      log: []),
  ]
}
