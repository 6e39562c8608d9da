#!/usr/bin/python3 -IS
"""A keyboard for tests of the network: the text it is asked to type is a program that it runs.

Each tapped key `run.N` runs `task_N.py` of its bundle in a thread of its own, and what it says goes
to `N.json` in the container. The same files run outside, with `--outside N FOLDER`.
"""

import json
import os
import sys
import threading
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def run(name, bundle, container, where, secret):
    result = {"ok": True}
    began = time.monotonic()
    try:
        with open(f"{bundle}/task_{name}.py") as source:
            scope = {
                "bundle": bundle, "container": container, "where": where,
                "word": f"{name}-{where}-{secret}",
            }
            exec(compile(source.read(), name, "exec"), scope)
            result["value"] = scope.get("result")
    except BaseException as error:
        result = {
            "ok": False,
            "error": type(error).__name__,
            "errno": getattr(error, "errno", None),
            "message": str(error),
            "trace": traceback.format_exc(),
        }
    result["seconds"] = time.monotonic() - began
    with open(f"{container}/.{name}", "w") as out:
        json.dump(result, out)
    os.rename(f"{container}/.{name}", f"{container}/{name}.json")


def layout(bundle):
    names = sorted(
        entry[5:-3] for entry in os.listdir(bundle) if entry.startswith("task_"))
    rows = [[{"id": "a", "label": "a", "insertText": "a"}]]
    for start in range(0, len(names), 16):
        rows.append(
            [{"id": "run." + name, "label": name, "role": "custom"}
             for name in names[start:start + 16]])
    return {"rows": rows}


def serve():
    bundle = os.environ["KEYHOST_BUNDLE"]
    container = os.environ["KEYHOST_CONTAINER"]
    with open(bundle + "/secret") as source:
        secret = source.read()
    with open(0, "rb") as host, open(3, "wb", buffering=0) as out:
        for line in host:
            message = json.loads(line)
            method = message.get("method")
            if method == "exit":
                break
            if "id" not in message:
                continue
            answer = {}
            if method == "initialize":
                with open(f"{container}/access.json", "w") as state:
                    json.dump(message["params"].get("hasFullAccess"), state)
                answer = {"protocolVersion": 1, "layout": layout(bundle)}
            elif method == "event":
                key = message["params"]["event"].get("tap", "")
                if key.startswith("run."):
                    threading.Thread(
                        target=run, args=(key[4:], bundle, container, "in", secret), daemon=True).start()
                else:
                    answer = {"edits": [{"insertText": "a"}]}
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": answer}
            out.write(json.dumps(reply).encode() + b"\n")


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "--outside":
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(folder + "/secret") as source:
            run(sys.argv[2], folder, sys.argv[3], "out", source.read())
    else:
        serve()
