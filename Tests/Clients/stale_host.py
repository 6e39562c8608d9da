"""A host that calls every edit stale and tells no change: prints how many edits it was sent."""

import json
import socket
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind(sys.argv[1])
listener.listen(1)
print("listening", flush=True)
connection = listener.accept()[0]
lines, count = connection.makefile("rb"), 0
for line in lines:
    message = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "replaceText":
        count += 1
        answer["error"] = {"code": 1, "message": "the text has changed"}
    else:
        answer["result"] = {"protocolVersion": 1, "hostVersion": "0", "revision": 1}
    if count > 100:
        break
    try:
        connection.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        break
print(count)
