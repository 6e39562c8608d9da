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

What cannot be sent, such as half of a surrogate pair, is a ValueError and changes nothing.
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


def _line(message):
    """The line of a message, without its line feed. ValueError: it cannot be one."""
    line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, allow_nan=False).encode()
    if len(line) > LINE_BYTES:
        raise ValueError("the message is longer than a line may be")
    return line


class _Change:
    """A replacement as to its places alone: `length` characters stand where start to end was.

    What is put in stands before what is taken out. Two changes of the same text that did not know of
    each other are crossed: each becomes what it is in a text in which the other was made, so that both
    orders lead to the same text. Each takes out what it took out before and nothing else, so what the
    other puts inside its range stays, and the range falls into two.
    """

    def __init__(self, start, end, length):
        self.start, self.end, self.length = start, end, length
        self.growth = length - (end - start)

    def is_nothing(self):
        return self.start == self.end and self.length == 0

    @staticmethod
    def cross(own, host):
        """Crosses changes that were made one behind the other, `own`, with some of the host. Both come
        back, as they are in the text that the other has changed; the first part of each puts in."""
        moved = []
        for change in own:
            parts, following = [change], []
            for other in host:
                if len(parts) == 1:
                    parts, others = _Change._cross(parts[0], other)
                else:
                    parts, others = _Change.cross(parts, [other])
                following += [part for part in others if not part.is_nothing()]
            # The first part is kept even when nothing is left of it: it is what is confirmed.
            moved += parts[:1] + [part for part in parts[1:] if not part.is_nothing()]
            host = following
        return moved, host

    @staticmethod
    def _cross(own, host):
        # At the same place what the host puts in stands first: a user who types on finds the cursor
        # behind what was typed. But what is put before a range that the host replaces stays before it.
        is_before = own.start == own.end and host.start < host.end
        if own.start < host.start or (own.start == host.start and is_before):
            return own._before(host), [host._behind(own)]
        return [own._behind(host)], host._before(own)

    def _before(self, other):
        left = min(max(other.start, self.start), self.end)
        if self.end <= other.end:
            return [_Change(self.start, left, self.length)]
        if other.length == 0:
            # What is left of the range is in one piece.
            return [_Change(self.start, self.end + other.growth, self.length)]
        shift = other.growth + self.length - (left - self.start)
        return [_Change(self.start, left, self.length),
                _Change(other.end + shift, self.end + shift, 0)]

    def _behind(self, other):
        start = max(self.start, other.end) + other.growth
        return _Change(start, max(start, self.end + other.growth), self.length)

    def _cursor(self, offset):
        if offset < self.start or (offset == self.start and self.start < self.end):
            return offset
        return max(offset, self.end) + self.growth

    def selection(self, start, end):
        """Where a selection is afterwards. What is put in at either end is no part of it."""
        first = self._cursor(start)
        if start == end:
            return first, first
        return first, max(first, end if end <= self.start else self._cursor(end))


class _Edit:
    """An edit of the app's own that the host has not confirmed. `text` is None for a selection. `group`
    tells which of the app's edits it is a part of: a part that is refused takes the others along. In
    the group 0 each is by itself."""

    def __init__(self, start, end, text, selection, group):
        self.start, self.end, self.text, self.selection = start, end, text, selection
        self.group = group

    def apply(self, text):
        return text if self.text is None else text[: self.start] + self.text + text[self.end :]

    def change(self):
        return _Change(self.start, self.end, len(self.text))

    def undoing(self, text):
        """What undoes it in a text that is `text` before it."""
        removed = text[self.start : self.end]
        return _Edit(self.start, self.start + len(self.text), removed, None, 0)

    def pieces(self):
        """The same in pieces that fit into a line each."""
        texts = [self.text[i : i + CHUNK] for i in range(0, len(self.text), CHUNK)] or [""]
        start, end, pieces = self.start, self.end, []
        for text in texts:
            pieces.append(_Edit(start, end, text, None, self.group))
            start = end = start + len(text)
        pieces[-1].selection = self.selection
        return pieces

    def selection_after(self):
        behind = self.start + len(self.text or "")
        return self.selection or (behind, behind)

    def crossed(self, host):
        """The same edit in a text that the host has changed, in parts when what the host put in stands
        within the range, and the host's changes behind it."""
        parts = [self]
        if self.text is not None:
            own, host = _Change.cross([self.change()], host)
            parts = [_Edit(part.start, part.end, "" if index else self.text, None, self.group)
                     for index, part in enumerate(own)]
        if self.selection is not None or len(parts) > 1:
            selection = self.selection_after()
            for change in host:
                selection = change.selection(*selection)
            if self.text is None:
                parts = [_Edit(self.start, self.end, None, selection, self.group)]
            parts[-1].selection = selection
        return parts, host


class _Input:
    """What the user did after an edit that the host does not have yet: it waits for that."""

    group = None

    def __init__(self, then, params):
        self.then, self.params = then, params

    def apply(self, text):
        return text

    def crossed(self, host):
        return [self], host


def _crossed(edits, changes):
    """Edits that were made one behind the other, in a text that the host has changed."""
    crossed = []
    for edit in edits:
        parts, changes = edit.crossed(changes)
        crossed += parts
    return crossed


class Phrases:
    """The app's own phrases above a field's keyboard: none to three, distinct, in order."""

    MOST = 3

    def __init__(self, changed=lambda: None, maximum=MOST):
        self._changed, self._maximum, self.items = changed, maximum, []

    @property
    def maximum(self):
        return self._maximum

    @maximum.setter
    def maximum(self, value):
        self._maximum = min(max(value, 0), self.MOST)
        self._keep(self.items)

    def set(self, phrases):
        """These and nothing else: the first that are distinct."""
        distinct = list(dict.fromkeys(phrase for phrase in phrases if phrase))
        self._keep(distinct[: self._maximum])

    def add(self, phrase):
        """One more; the oldest is pushed out. One that is there stays in its place."""
        if phrase and phrase not in self.items:
            self._keep(self.items + [phrase])

    def remove(self, phrase):
        self._keep([item for item in self.items if item != phrase])

    def _keep(self, items):
        self.items = items[max(len(items) - self._maximum, 0):]
        self._changed()


class KeyboardAvoidance:
    """Keeps the active field in sight: shrinks the visible area of a scrolled view by what the keyboard
    covers of it, scrolls the field into the rest, once, and back when the keyboard hides.

    Pure geometry, in points. The view is at `top` of the screen, `height` high; its content is moved
    up by `offset`. Give show() what on_notification brings, unless its name ends with Hide: hide().
    """

    def __init__(self, top, height, content_height, offset=0):
        self.top, self.height, self.content_height = top, height, content_height
        self.offset, self.bottom_inset, self._before = offset, 0, None

    @property
    def visible_height(self):
        return self.height - self.bottom_inset

    @property
    def maximum_offset(self):
        return max(0, self.content_height - self.visible_height)

    def show(self, keyboard_frame, field_top, field_bottom):
        is_first = self.bottom_inset == 0
        covered = self.top + self.height - max(keyboard_frame["y"], self.top)
        self.bottom_inset = min(max(0, covered), self.height)
        if is_first and self.bottom_inset > 0:
            self._before = self.offset
        if field_bottom > self.offset + self.visible_height:
            # A field that is higher than the rest is shown from its top.
            self.offset = min(field_bottom - self.visible_height, field_top)
        elif field_top < self.offset:
            self.offset = field_top
        self.offset = min(max(0, self.offset), self.maximum_offset)

    def scroll(self, offset):
        """The user scrolled, which is not taken back when the keyboard hides."""
        self.offset = min(max(0, offset), self.maximum_offset)
        self._before = None

    def hide(self):
        self.bottom_inset = 0
        before = self.offset if self._before is None else self._before
        self.offset = min(max(0, before), self.maximum_offset)
        self._before = None


class Document:
    """A field: its text, and what can be done with it."""

    def __init__(self, client, name):
        self.client, self.name = client, name
        self.text = ""
        self.selection = (0, 0)
        self.marked = None
        self.is_first_responder = False
        self.is_closed = self._is_closing = False
        self.on_change = lambda document, cause: None
        self.on_format = lambda document, look: None  # bold, italic or underline
        # The app's own phrases: shown while the field is empty, without corrections meanwhile.
        self.phrases = Phrases(self._follow_phrases)
        self.phrases_height = 44
        self.on_phrases = lambda document: None
        self._traits, self._views, self._told_phrases = {}, {}, []
        self._base = ""  # the text as the host has it, of this revision
        self._revision = 0
        self._edits = []  # not confirmed, and inputs; the first is on its way while _is_sent
        self._made = []  # what undoes the part of the first edit that the host has, the last made first
        self._is_sent = False
        self._sent_revision = 0
        self._last_group = 0

    def become_first_responder(self):
        self._check_open()
        self.client._send_inputs()
        self._call("becomeFirstResponder")
        for other in self.client.documents.values():
            other.is_first_responder = other is self

    def resign_first_responder(self):
        self._check_open()
        self.client._send_inputs()
        self.client.call("resignFirstResponder")
        self.is_first_responder = False

    def close(self):
        """Closes the field, for good, once the host has all that was done before. After that nothing of it is
        sent, and its name is free for another. Of what is done while it closes `then` hears an error."""
        if self.is_closed or self._is_closing:
            return
        self._settle(lambda: not self._edits)
        self._is_closing = True
        try:
            self.client.call("closeDocument", document=self.name)
        finally:
            self._end()

    def _end(self):
        self.is_closed, self.is_first_responder = True, False
        if self.client.documents.get(self.name) is self:
            del self.client.documents[self.name]
        waiting, self._edits, self._made = self._edits, [], []
        error = ClientError("the field %s is closed" % self.name)
        for then in [step.then for step in waiting if isinstance(step, _Input)]:
            if then is not None:
                then(None, error)

    def _settle(self, condition):
        if not self._is_closing:
            self._send()
            self.client.wait_until(condition)

    def _has_sent_inputs(self):
        return self._is_closing or not any(isinstance(step, _Input) for step in self._edits)

    def _check_open(self):
        # Another field may have the name by now.
        if self.is_closed:
            raise ClientError("the field %s is closed" % self.name)

    def _call(self, method, **params):
        self._check_open()
        return self.client.call(method, document=self.name, **params)

    def set_traits(self, **traits):
        self._check_open()
        _line({"traits": traits})
        self._settle(self._has_sent_inputs)
        self._traits = traits
        self._call("setTraits", traits=self._effective_traits())

    def reload_input_views(self, **heights):
        """inputViewHeight and inputAccessoryViewHeight, in points; what is left out is not there."""
        self._check_open()
        _line({"params": heights})
        self._settle(self._has_sent_inputs)
        self._views = heights
        self._call("reloadInputViews", **self._effective_views())

    def play_input_click(self):
        """A key of the field's own input view was pressed: whether it is to be heard."""
        return self._call("playInputClick")["handled"]

    # Phrases of the app's own.

    @property
    def shown_phrases(self):
        """What to show above the keyboard now; nothing once something is typed."""
        return [] if self.text else list(self.phrases.items)

    def pick(self, phrase):
        """The user picked a phrase: it is appended, with a space, and the view goes."""
        self.replace(len(self.text), len(self.text), phrase + " ")

    def _effective_traits(self):
        if self.shown_phrases:
            return {**self._traits, "autocorrectionType": "no"}
        return self._traits

    def _effective_views(self):
        if not self.shown_phrases:
            return self._views
        height = self._views.get("inputAccessoryViewHeight", 0) + self.phrases_height
        return {**self._views, "inputAccessoryViewHeight": height}

    def _follow_phrases(self):
        shown = self.shown_phrases
        if self._is_closing or self.is_closed or shown == self._told_phrases:
            return
        is_other = bool(shown) != bool(self._told_phrases)
        self._told_phrases = shown
        if is_other:
            self.client.request("setTraits", document=self.name, traits=self._effective_traits())
            self.client.request("reloadInputViews", document=self.name, **self._effective_views())
        self.on_phrases(self)

    # What the user does with the keyboard. `then` is called as that of Client.request.

    def type(self, character, then=None):
        """One character as people see it; ValueError: it is none, or one of control."""
        if (not character or character.isascii() and len(character) > 1 and character != "\r\n"
                or any(ord(one) < 32 and one not in "\t\n\r" or 127 <= ord(one) < 160
                       for one in character)):
            raise ValueError("what is typed is one character, and none of control")
        self._input(then, character=character)

    def event(self, then=None, **event):
        self._input(then, event=event)

    def next_keyboard(self, then=None):
        self._input(then, nextKeyboard=True)

    def select_keyboard(self, identifier, then=None):
        self._input(then, selectKeyboard=identifier)

    # Commands, for an app that draws the keyboard: those that client.presentation["commands"] names.

    def shake(self, then=None):
        """The device was shaken: presentation["undoPrompt"] is the question to put to the user."""
        self._input(then, shake=True)

    def answer_undo(self, answer, then=None):
        """The user's answer to it: undo, redo or cancel."""
        self._input(then, answerUndo=answer)

    def drag(self, right, down, then=None):
        """A finger that went down on the space key moved so many points: the cursor goes with it."""
        self._input(then, drag=[right, down])

    def end_drag(self, then=None):
        self._input(then, dragEnded=True)

    def format(self, look, then=None):
        """The user wants bold, italic or underline: on_format hears it if the field supports that."""
        self._input(then, format=look)

    def _input(self, then, **params):
        self._check_open()
        # It may be sent later, where nobody hears that it cannot be.
        _line({"id": 2**53 - 1, "method": "event", "params": {"document": self.name, **params}})
        self._edits.append(_Input(then, params))
        self._send()

    @property
    def is_confirmed(self):
        """Whether the host has all that the app did."""
        return not self._edits

    def keyboards(self):
        return self._call("listKeyboards")["keyboards"]

    # What the app does by itself.

    def replace(self, start, end, text, selection=None):
        """Changes the text now; the host is told, and told again when it knew another text."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError("the text has no such range")
        self._check_open()
        text.encode()  # a lone surrogate cannot be sent
        self._last_group += 1
        # A line has a bound; a long text goes in pieces.
        self._edits += _Edit(start, end, text, selection, self._last_group).pieces()
        start += len(text)
        self._show(selection or (start, start))
        self._send()

    def insert(self, text):
        self.replace(self.selection[0], self.selection[1], text)

    def select(self, start, end):
        self._check_open()
        self._last_group += 1
        self._edits.append(_Edit(0, 0, None, (start, end), self._last_group))
        self._show((start, end))
        self._send()

    def _show(self, selection):
        self.text = self._base
        for edit in self._edits:
            self.text = edit.apply(self.text)
        self.selection = selection
        if any(isinstance(edit, _Edit) for edit in self._edits):
            self.marked = None
        self._follow_phrases()

    def _send(self):
        if self._is_sent or self._is_closing:
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
        method = "select" if edit.text is None else "replaceText"
        self.client.request(method, self._confirmed, **params)
        self._is_sent, self._sent_revision = True, self._revision

    def _confirmed(self, result, error):
        if self.is_closed:
            return
        self._is_sent = False
        if error is None:
            self._take_confirmed()
            self._revision = result["revision"]
        elif error.code != RequestError.STALE or self._revision == self._sent_revision:
            # A stale without a change that was told would be so for ever.
            self._refused()
            self.client.on_refused_edit(self, error)
            self.on_change(self, "refused")
        self._send()

    def _take_confirmed(self):
        edit, before = self._edits.pop(0), self._base
        self._base = edit.apply(before)
        if not edit.group or not self._edits or self._edits[0].group != edit.group:
            self._made = []
            return
        # More of the same edit follows, which may be refused.
        undoing = edit.undoing(before)
        if self._made and not undoing.text and undoing.start == self._made[0].end:
            self._made[0].end = undoing.end
        else:
            self._made.insert(0, undoing)

    def _refused(self):
        """The host will not have the first edit: what is left of it goes, what the host has of it is undone,
        and the others stay, as they are without it."""
        first = self._edits.pop(0)
        left = [first]
        while first.group and self._edits and self._edits[0].group == first.group:
            left.append(self._edits.pop(0))
        undoing = [_Change(edit.start, edit.start + len(edit.text), edit.end - edit.start)
                   for edit in reversed(left) if edit.text is not None]
        pieces = [piece for edit in self._made for piece in edit.pieces()
                  if not piece.change().is_nothing()]
        self._edits = pieces + _crossed(self._edits, undoing + [edit.change() for edit in pieces])
        self._made = []
        own = [edit for edit in self._edits if isinstance(edit, _Edit)]
        behind = len(self._base)
        self._show(own[-1].selection_after() if own else (behind, behind))

    def _changed(self, change):
        if change["baseRevision"] != self._revision:
            raise ClientError("a change of %s is for another revision" % self.name)
        start, end = change["range"]
        text = change["text"]
        self._base = self._base[:start] + text + self._base[end:]
        self._revision = change["revision"]
        changes = [_Change(start, end, len(text))]
        self._edits, self._made = _crossed(self._edits, changes), _crossed(self._made, changes)
        own = [edit for edit in self._edits if isinstance(edit, _Edit)]
        self._show(own[-1].selection_after() if own else tuple(change["selection"]))
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
        self.on_input_click = lambda document: None  # make the sound of a key
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

    def open_document(self, name, text="", selection=None, traits=None, context=None, **input_views):
        """`context` names what the field is for, such as a conversation: the keyboard that was picked
        in the last field for it serves this one, too."""
        text.encode()  # a lone surrogate cannot be sent
        document = Document(self, name)
        document._traits, document._views = dict(traits or {}), input_views
        more = {} if context is None else {"textInputContextIdentifier": context}
        start = text[:CHUNK]
        answer = []

        def opened(result, error):
            # What comes before is of another field that had the name.
            if error is None:
                document._base, document._revision = start, result["revision"]
                self.documents[name] = document
            answer.append(error)

        self.request("openDocument", opened, document=name, traits=traits or {}, text=start,
                     **input_views, **more)
        self.wait_until(lambda: answer)
        if answer[0] is not None:
            raise answer[0]
        document._show((len(start), len(start)))
        if len(text) > CHUNK:
            document.replace(len(start), len(start), text[CHUNK:])
        if selection is not None:
            document.select(*selection)
        return document

    def _send_inputs(self):
        """What the user did in a field was meant for it as it was: it is sent before that changes."""
        documents = list(self.documents.values())
        for document in documents:
            document._send()
        self.wait_until(lambda: all(document._has_sent_inputs() for document in documents))

    def set_screen(self, width, height, orientation):
        self.call("setScreen",
                  screen={"width": width, "height": height, "orientation": orientation})

    def answer_changed(self):
        """should_allow would answer differently now."""
        self._write(_line({"method": "extensionPointAnswerChanged"}))

    # Requests

    def request(self, method, then=None, **params):
        """Sends a request and returns. `then` is called with (result, None) or (None, error)."""
        message = {"id": self._last_id + 1, "method": method}
        if params:
            message["params"] = params
        line = _line(message)
        self._last_id += 1
        self._answers[self._last_id] = then or (lambda result, error: None)
        self._write(line)
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
        # select() takes no descriptor above 1023.
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | (select.POLLOUT if self._output else 0))
        shown = [events for _, events in poll.poll(max(0, timeout) * 1000)]
        if not shown:
            return
        if shown[0] & select.POLLOUT:
            self._flush()
        if not shown[0] & ~select.POLLOUT:
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

    def _write(self, line):
        self._output += line + b"\n"
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
                self._write(_line({"id": message["id"], "result": answer}))
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
        elif method in ("format", "inputClick"):
            document = self.documents.get(params["document"])
            if document is not None:
                if method == "format":
                    document.on_format(document, params["format"])
                else:
                    self.on_input_click(document)
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
