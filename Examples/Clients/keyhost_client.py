"""A client of Keyhost for apps in Python: one file, the standard library, Python 3.9 or later.

    client = Client("org.example.notes")
    field = client.open_document("title", text="Hello")
    field.become_first_responder()      # client.keyboard_frame is where the keyboard is
    field.type("!")                     # a key of the keyboard; its text comes back
    client.wait_until(lambda: field.text == "Hello!")
    field.replace(0, 5, "Good day")     # an edit of the app's own

Offsets are in Unicode scalars, which is how Python counts a str. The protocol is described in
docs/app-protocol.md.

The app changes its text at once and does not wait for the host. When the host has changed it
meanwhile the app's edit is refused as stale: the host's change is taken in, the app's edits are moved
by it and sent again, so that neither is lost.
"""

import json
import os
import select
import socket
import time

LINE_BYTES = 65536
CHUNK = 4096


class ClientError(Exception):
    """The connection has ended, or the host did not answer in time."""


class RequestError(ClientError):
    """The host did not do what was asked. `code` is the protocol's."""

    STALE, UNKNOWN_DOCUMENT, DOCUMENT_IS_OPEN, NOT_FIRST_RESPONDER = 1, 2, 3, 4
    HAS_INPUT_VIEW, LIMIT, UNKNOWN_KEY, NOT_PRESENTING = 5, 6, 7, 8

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class _Edit:
    """An edit of the app's own that the host has not confirmed. `text` is None for a selection."""

    def __init__(self, start, end, text, selection):
        self.start, self.end, self.text, self.selection = start, end, text, selection

    def apply(self, text):
        return text if self.text is None else text[: self.start] + self.text + text[self.end :]

    def moved(self, start, end, length):
        """The same edit, in a text in which start to end was replaced by so many characters."""

        def move(offset):
            if offset <= start:
                return offset
            return offset + length - (end - start) if offset >= end else start + length

        first = move(self.start)
        shift = first - self.start
        selection = self.selection
        if selection is not None:
            if self.text is None:
                selection = (move(selection[0]), max(move(selection[0]), move(selection[1])))
            else:
                selection = (selection[0] + shift, selection[1] + shift)
        return _Edit(first, max(first, move(self.end)), self.text, selection)


class _Input:
    """What the user did after an edit that the host does not have yet: it waits for that."""

    text = selection = None

    def __init__(self, then, params):
        self.then, self.params = then, params

    def apply(self, text):
        return text

    def moved(self, start, end, length):
        return self


class Document:
    """A field: its text, and what can be done with it."""

    def __init__(self, client, name):
        self.client, self.name = client, name
        self.text = ""
        self.selection = (0, 0)
        self.marked = None
        self.is_first_responder = False
        self.on_change = lambda document, cause: None
        self._base = ""  # the text as the host has it, of this revision
        self._revision = 0
        self._edits = []  # not confirmed, and inputs; the first is on its way while _is_sent
        self._is_sent = False

    def become_first_responder(self):
        self.client.call("becomeFirstResponder", document=self.name)
        for other in self.client.documents.values():
            other.is_first_responder = other is self

    def resign_first_responder(self):
        self.client.call("resignFirstResponder")
        self.is_first_responder = False

    def close(self):
        self.client.call("closeDocument", document=self.name)
        self.client.documents.pop(self.name, None)

    def set_traits(self, **traits):
        self.client.call("setTraits", document=self.name, traits=traits)

    def reload_input_views(self, **heights):
        """inputViewHeight and inputAccessoryViewHeight, in points; what is left out is not there."""
        self.client.call("reloadInputViews", document=self.name, **heights)

    # What the user does with the keyboard. `then` is called as that of Client.request.

    def type(self, character, then=None):
        self._input(then, character=character)

    def event(self, then=None, **event):
        self._input(then, event=event)

    def next_keyboard(self, then=None):
        self._input(then, nextKeyboard=True)

    def select_keyboard(self, identifier, then=None):
        self._input(then, selectKeyboard=identifier)

    def _input(self, then, **params):
        self._edits.append(_Input(then, params))
        self._send()

    @property
    def is_confirmed(self):
        """Whether the host has all that the app did."""
        return not self._edits

    def keyboards(self):
        return self.client.call("listKeyboards", document=self.name)["keyboards"]

    # What the app does by itself.

    def replace(self, start, end, text, selection=None):
        """Changes the text now; the host is told, and told again when it knew another text."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError("the text has no such range")
        # A line has a bound; a long text goes in pieces.
        pieces = [text[i : i + CHUNK] for i in range(0, len(text), CHUNK)] or [""]
        for index, piece in enumerate(pieces):
            is_last = index == len(pieces) - 1
            self._edits.append(_Edit(start, end, piece, selection if is_last else None))
            start = end = start + len(piece)
        self._show(selection or (start, start))
        self._send()

    def insert(self, text):
        self.replace(self.selection[0], self.selection[1], text)

    def select(self, start, end):
        self._edits.append(_Edit(0, 0, None, (start, end)))
        self._show((start, end))
        self._send()

    def _show(self, selection):
        self.text = self._base
        for edit in self._edits:
            self.text = edit.apply(self.text)
        self.selection = selection
        if any(isinstance(edit, _Edit) for edit in self._edits):
            self.marked = None

    def _send(self):
        if self._is_sent:
            return
        while self._edits and isinstance(self._edits[0], _Input):
            sent = self._edits.pop(0)
            self.client.request("event", sent.then, document=self.name, **sent.params)
        if not self._edits:
            return
        edit = self._edits[0]
        params = {"document": self.name, "baseRevision": self._revision}
        if edit.text is not None:
            params.update(range=[edit.start, edit.end], text=edit.text)
        if edit.selection is not None:
            params["selection"] = list(edit.selection)
        self._is_sent = True
        method = "select" if edit.text is None else "replaceText"
        self.client.request(method, self._confirmed, **params)

    def _confirmed(self, result, error):
        self._is_sent = False
        if error is None:
            self._base = self._edits.pop(0).apply(self._base)
            self._revision = result["revision"]
        elif error.code != RequestError.STALE:
            # The host will not have it: the app is back at what the host has.
            self._edits = [edit for edit in self._edits if isinstance(edit, _Input)]
            self._show((len(self._base), len(self._base)))
            self.client.on_refused_edit(self, error)
            self.on_change(self, "refused")
        self._send()

    def _changed(self, change):
        if change["baseRevision"] != self._revision:
            raise ClientError("a change of %s is for another revision" % self.name)
        start, end = change["range"]
        text = change["text"]
        self._base = self._base[:start] + text + self._base[end:]
        self._revision = change["revision"]
        host = _Edit(start, end, text, None)
        moved = []
        for edit in self._edits:
            length = len(host.text)
            moved.append(edit.moved(host.start, host.end, length))
            if edit.text is not None:
                host = host.moved(edit.start, edit.end, len(edit.text))
        self._edits = moved
        selection = tuple(change["selection"])
        own = [edit for edit in moved if isinstance(edit, _Edit)]
        if own:
            last = own[-1]
            behind = last.start + len(last.text or "")
            selection = last.selection or (behind, behind)
        self._show(selection)
        if not own:
            self.marked = tuple(change["markedRange"]) if "markedRange" in change else None
        self.on_change(self, change["cause"])


class Client:
    """A connection to the host.

    should_allow, if given, answers shouldAllowExtensionPointIdentifier: whether custom keyboards
    may serve the app's fields.
    """

    def __init__(self, app_identifier, path=None, should_allow=None, presents_keyboard=False,
                 width=375, height=667, orientation="portrait", timeout=30):
        self.should_allow = should_allow
        self.timeout = timeout
        self.documents = {}
        self.notifications = []  # (name, begin, end), oldest first
        self.keyboard_frame = None  # where the keyboard is while it shows
        self.presentation = None
        self.is_closed = False
        self.on_notification = lambda name, begin, end: None
        self.on_presentation = lambda presentation: None
        self.on_dismissed = lambda document: None
        self.on_resigned = lambda document: None
        self.on_refused_edit = lambda document, error: None
        self._input, self._output = bytearray(), bytearray()
        self._answers = {}
        self._last_id = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path or default_path())
        self._socket.setblocking(False)
        self.host_version = self.call(
            "initialize", protocolVersions=[1], appIdentifier=app_identifier,
            implementsShouldAllowExtensionPoint=should_allow is not None,
            presentsKeyboard=presents_keyboard,
            screen={"width": width, "height": height, "orientation": orientation})["hostVersion"]

    def close(self):
        self.is_closed = True
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def fileno(self):
        """For a loop of the app's own: when it is readable, call process(0)."""
        return self._socket.fileno()

    def open_document(self, name, text="", selection=None, traits=None, **input_views):
        document = Document(self, name)
        self.documents[name] = document
        start = text[:CHUNK]
        try:
            result = self.call("openDocument", document=name, traits=traits or {}, text=start,
                               **input_views)
        except ClientError:
            del self.documents[name]
            raise
        document._base, document._revision = start, result["revision"]
        document._show((len(start), len(start)))
        if len(text) > CHUNK:
            document.replace(len(start), len(start), text[CHUNK:])
        if selection is not None:
            document.select(*selection)
        return document

    def set_screen(self, width, height, orientation):
        self.call("setScreen",
                  screen={"width": width, "height": height, "orientation": orientation})

    def answer_changed(self):
        """should_allow would answer differently now."""
        self._write({"method": "extensionPointAnswerChanged"})

    # Requests

    def request(self, method, then=None, **params):
        """Sends a request and returns. `then` is called with (result, None) or (None, error)."""
        self._last_id += 1
        self._answers[self._last_id] = then or (lambda result, error: None)
        message = {"id": self._last_id, "method": method}
        if params:
            message["params"] = params
        self._write(message)
        return self._last_id

    def call(self, method, **params):
        """Sends a request and waits for its answer, handling what comes meanwhile."""
        answer = []
        self.request(method, lambda *both: answer.append(both), **params)
        self.wait_until(lambda: answer)
        result, error = answer[0]
        if error is not None:
            raise error
        return result

    def wait_until(self, condition, timeout=None):
        limit = time.monotonic() + (self.timeout if timeout is None else timeout)
        while not condition():
            left = limit - time.monotonic()
            if left <= 0:
                raise ClientError("the host did not answer in time")
            self.process(left)

    def process(self, timeout):
        """Waits at most so many seconds for messages, and handles them."""
        if self.is_closed:
            raise ClientError("the connection is closed")
        writers = [self._socket] if self._output else []
        readable, writable, _ = select.select([self._socket], writers, [], timeout)
        if writable:
            self._flush()
        if not readable:
            return
        try:
            data = self._socket.recv(262144)
        except BlockingIOError:
            return
        except OSError as error:
            self.close()
            raise ClientError("the connection has ended: %s" % error) from error
        if not data:
            self.close()
            raise ClientError("the host ended the connection")
        self._input += data
        while True:
            end = self._input.find(b"\n")
            if end < 0:
                return
            line = bytes(self._input[:end])
            del self._input[: end + 1]
            self._handle(json.loads(line))

    def _write(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"
        if len(line) > LINE_BYTES + 1:
            raise ValueError("the message is longer than a line may be")
        self._output += line
        self._flush()

    def _flush(self):
        while self._output:
            try:
                sent = self._socket.send(self._output)
            except BlockingIOError:
                return
            except OSError as error:
                self.close()
                raise ClientError("the connection has ended: %s" % error) from error
            del self._output[:sent]

    def _handle(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method is None:
            self._take_answer(message)
        elif method == "shouldAllowExtensionPointIdentifier":
            answer = self.should_allow(params["identifier"]) if self.should_allow else True
            if answer is not NotImplemented:  # which stands for no answer at all
                self._write({"id": message["id"], "result": answer})
        elif method == "textChanged":
            document = self.documents.get(params["document"])
            if document is not None:
                document._changed(params)
        elif method.startswith("keyboard"):
            self.keyboard_frame = None if method.endswith("Hide") else params["frameEnd"]
            self.notifications.append((method, params["frameBegin"], params["frameEnd"]))
            self.on_notification(method, params["frameBegin"], params["frameEnd"])
        elif method == "presentation":
            self.presentation = params
            self.on_presentation(params)
        elif method in ("dismissed", "resigned"):
            document = self.documents.get(params["document"])
            if document is not None:
                document.is_first_responder = False
                (self.on_dismissed if method == "dismissed" else self.on_resigned)(document)

    def _take_answer(self, message):
        error = message.get("error")
        failure = RequestError(error["code"], error["message"]) if error else None
        if message.get("id") is None:
            self.close()
            raise failure or ClientError("an answer came without an id")
        self._answers.pop(message["id"])(message.get("result"), failure)


def default_path():
    """Where `keyhost serve` listens unless it was told otherwise."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return runtime + "/keyhost/socket"
    if os.geteuid() == 0:
        return "/run/keyhost/socket"
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return state + "/keyhost/run/socket"
