"""What keyhost_client.py does with fields that are closed, edits that are refused, and what cannot be sent,
against the server of this environment."""

import resource
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from keyhost_client import Client, ClientError, RequestError


hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def expect(failure, body):
    try:
        body()
    except failure:
        return
    raise AssertionError("it was done")


def idle(client, seconds=0.5):
    """Handles what comes, and returns how many requests went out by themselves."""
    before, end = client._last_id, time.monotonic() + seconds
    while time.monotonic() < end:
        client.process(0.05)
    return client._last_id - before


def host_text(client, field):
    """The text as the host has it: a key in place of all of it, whose range the host tells."""
    told = []
    field.on_change = lambda document, cause: told.append(document.text)
    field.select(0, len(field.text))
    field.type("#")
    client.wait_until(lambda: told and field.is_confirmed)
    assert field.text == "#", field.text
    return told


def closed_fields(client):
    for same_revision in (True, False):
        old = client.open_document("chat", text="", traits={"isSecureTextEntry": True})
        old.become_first_responder()
        for number in range(4):
            old.replace(0, 0, "secret%d " % number)
        heard = []
        old.type("k", then=lambda result, error: heard.append(error))
        old.select(0, 1)
        old.close()
        # What was done before it was closed is done.
        assert heard == [None] and old.is_confirmed, heard
        assert sorted(old.text) == sorted("secret0 secret1 secret2 secret3 k"), old.text
        assert not client.documents
        # A revision that one of the old field's edits is for, or another.
        new = client.open_document("chat", text="new", selection=(0, 0) if same_revision else None)
        new.become_first_responder()
        assert idle(client) == 0
        assert new.text == "new" and new.is_confirmed
        # Whatever is done with the old one, the new one hears nothing of it.
        for use in (
            lambda: old.replace(0, 0, "x"), lambda: old.insert("x"), lambda: old.select(0, 0),
            lambda: old.type("x"), lambda: old.shake(), lambda: old.become_first_responder(),
            lambda: old.resign_first_responder(), lambda: old.set_traits(keyboardType="URL"),
            lambda: old.reload_input_views(inputViewHeight=100), lambda: old.play_input_click(),
            lambda: old.keyboards(), lambda: old.pick("x"),
        ):
            expect(ClientError, use)
        old.close()
        old.phrases.set(["Yes", "No"])
        assert idle(client, 0.2) == 0
        assert new.is_first_responder and not old.is_first_responder
        new.type("!")
        client.wait_until(lambda: "!" in new.text)
        assert sorted(new.text) == sorted("new!"), new.text
        # A name that is taken stays with the field that has it.
        try:
            client.open_document("chat")
            raise AssertionError("it was opened twice")
        except RequestError as error:
            assert error.code == RequestError.DOCUMENT_IS_OPEN
        new.replace(0, len(new.text), "abc")
        client.wait_until(lambda: new.is_confirmed)
        new.type("d")
        client.wait_until(lambda: new.text == "abcd")
        new.close()


def closed_meanwhile(client):
    """What is done by whom hears of the last key, while the field is closed."""
    old, heard = client.open_document("chat"), []
    old.become_first_responder()

    def hear(document, cause):
        old.type("x", then=lambda result, error: heard.append(type(error)))
        old.replace(0, 0, "late")

    old.type("k")
    old.on_change = hear
    old.close()
    assert heard == [ClientError] and old.is_closed, heard
    new = client.open_document("chat")
    assert idle(client) == 0 and new.text == "" and new.is_confirmed
    new.close()


def moved_focus(client):
    """Keys that wait behind an edit are typed where they were meant to be."""
    one, two, heard = client.open_document("one"), client.open_document("two"), []

    def type(field, text):
        for character in text:
            field.type(character, then=lambda result, error: heard.append(error))

    one.become_first_responder()
    one.replace(0, 0, "e")
    type(one, "one")
    two.become_first_responder()
    type(two, "two")
    client.wait_until(lambda: len(heard) == 6)
    assert (one.text, two.text) == ("eone", "two"), (one.text, two.text)
    two.replace(0, 0, "E")
    type(two, "x")
    two.resign_first_responder()
    one.become_first_responder()
    one.replace(4, 4, ".")
    type(one, "y")
    one.set_traits(isSecureTextEntry=True)
    one.replace(6, 6, ".")
    type(one, "z")
    one.reload_input_views(inputViewHeight=100)
    client.wait_until(lambda: len(heard) == 9)
    assert heard == [None] * 9, heard
    assert sorted(two.text) == sorted("Etwox") and one.text == "eone.y.z", (one.text, two.text)
    one.close()
    two.close()


def refused_edits(client):
    refused = []
    client.on_refused_edit = lambda document, error: refused.append(error.code)
    field = client.open_document("draft", text="my precious draft of a letter" + "é" * 9000)
    field.become_first_responder()
    client.wait_until(lambda: field.is_confirmed)
    draft = field.text
    too_long = "e" + "\u0301" * 1500
    field.replace(0, len(field.text), "n" * 5000 + too_long + "end")
    field.replace(len(field.text), len(field.text), "?")
    client.wait_until(lambda: field.is_confirmed)
    assert refused == [RequestError.LIMIT], refused
    assert field.text == draft + "?", (len(field.text), field.text[:40])
    field.type("!")
    client.wait_until(lambda: field.text == draft + "?!")
    # One that is right is made, in its pieces.
    field.replace(0, len(field.text), "n" * 9000 + "end")
    client.wait_until(lambda: field.is_confirmed)
    assert len(refused) == 1 and field.text == "n" * 9000 + "end"
    assert host_text(client, field) == ["#"]
    field.close()


def unsendable(client):
    field = client.open_document("plain", text="abc")
    field.become_first_responder()
    half, heard = "\ud83d", []
    field.replace(0, 0, "x")  # on its way: what follows waits
    for use in (
        lambda: field.replace(0, 0, half), lambda: field.insert("a" * 5000 + half),
        lambda: field.type(half), lambda: field.event(text=half), lambda: field.pick(half),
        lambda: field.set_traits(keyboardType=half), lambda: field.drag(float("nan"), 0),
        lambda: field.type("é" * 70000), lambda: field.type(""), lambda: field.type("ab"),
        lambda: field.type("\x7f"), lambda: field.type("é\x1b"), lambda: client.open_document("other", text="x" * 5000 + half),
        lambda: client.open_document(half),
    ):
        expect(ValueError, use)
    field.replace(4, 4, "d")
    field.type("e", then=lambda result, error: heard.append(error))
    client.wait_until(lambda: field.is_confirmed and heard)
    assert heard == [None] and field.text == "xabcde", (heard, field.text)
    # What is longer than a character may be is told, and is not the end of anything.
    field.type("\U0001f469" + "\u0301" * 130, then=lambda result, error: heard.append(error.code))
    client.wait_until(lambda: len(heard) == 2)
    assert heard[1] == RequestError.LIMIT and field.text == "xabcde", (heard, field.text)
    client.open_document("other", text="\U0001f600").close()
    # Pairs of surrogates are no concern of an app's: Python has whole characters.
    field.insert("\U0001f600")
    client.wait_until(lambda: field.is_confirmed)
    assert field.text == "xabcde\U0001f600"
    field.close()


# In a program that has many files open.
resource.setrlimit(resource.RLIMIT_NOFILE, (min(2048, hard), hard))
files = [open("/dev/null") for _ in range(1100)] if hard >= 2048 else []
client = Client("org.example.fields", presents_keyboard=True, timeout=60)
closed_fields(client)
closed_meanwhile(client)
moved_focus(client)
refused_edits(client)
unsendable(client)
client.close()
print("done")
