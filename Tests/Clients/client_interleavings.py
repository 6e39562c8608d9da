"""Random interleavings of an app that uses keyhost_client.py and a host that is played here: what the
app shows, what the host has and what is left of what was typed are compared.

Every character is put in once only. So the text in the end must hold exactly those that nobody deleted.
"""

import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import keyhost_client
from keyhost_client import Document, RequestError

keyhost_client.CHUNK = 3


class Host:
    """The other end: `sent` are requests that it has not read, `told` what the app has not read."""

    def __init__(self, seed, refuses):
        self.random, self.refuses = random.Random(seed), refuses
        self.text, self.revision = "", 1
        self.sent, self.told = [], []
        self.next = 0x4E00
        self.own, self.deleted = set(), set()  # by the host
        self.refused = 0
        self.batches = []  # what was put in at once
        self.documents = {}

    def fresh(self, most):
        count = self.random.randint(0, most)
        self.next += count
        self.batches.append([chr(self.next - count + index) for index in range(count)])
        return "".join(self.batches[-1])

    def range(self, text):
        one, other = (self.random.randint(0, len(text)) for _ in range(2))
        if self.random.random() < 0.4:
            other = one
        return min(one, other), max(one, other)

    # What a document asks of its client.

    def request(self, method, then=None, **params):
        if method in ("replaceText", "select"):
            self.sent.append((params, then))

    def on_refused_edit(self, document, error):
        self.refused += 1

    # What the host does.

    def key(self):
        """A key in one or two messages, as a long text comes."""
        start, end = self.range(self.text)
        self.deleted.update(self.text[start:end])
        for last in [True] if self.random.random() < 0.7 else [False, True]:
            text = self.fresh(3)
            self.own.update(text)
            revision = self.revision + (1 if last else 0)
            self.text = self.text[:start] + text + self.text[end:]
            behind = start + len(text)
            self.told.append(dict(
                baseRevision=self.revision, revision=revision, range=[start, end], text=text,
                selection=[behind, behind], cause="keyboard"))
            self.revision, start, end = revision, behind, behind

    def read(self):
        if not self.sent:
            return
        params, then = self.sent.pop(0)
        if params["baseRevision"] != self.revision:
            self.told.append((then, None, RequestError(RequestError.STALE, "stale")))
            return
        selection = params.get("selection")
        length = len(self.text)
        if "range" in params:
            start, end = params["range"]
            assert 0 <= start <= end <= length, "%s runs past the end" % params
            text = params["text"]
            # What it had itself it takes back.
            if any(self.refuses(character) for character in text if character not in self.own):
                self.told.append((then, None, RequestError(RequestError.LIMIT, "too much")))
                return
            self.text = self.text[:start] + text + self.text[end:]
            length = len(self.text)
        assert selection is None or 0 <= selection[0] <= selection[1] <= length, params
        self.revision += 1
        self.told.append((then, {"revision": self.revision}, None))

    def tell(self, document):
        if not self.told:
            return
        told = self.told.pop(0)
        if isinstance(told, dict):
            document._changed(told)
        else:
            told[0](told[1], told[2])
        assert 0 <= document.selection[0] <= document.selection[1] <= len(document.text)


def run(seed, refuses):
    host = Host(seed, refuses)
    document = Document(host, "note")
    host.text = document._base = host.fresh(8)
    host.own.update(host.text)
    document._revision = host.revision
    document._show((0, 0))
    edits = []  # what each edit of the app put in and deleted, and from what
    for _ in range(host.random.randint(5, 60)):
        step = host.random.random()
        if step < 0.3:
            start, end = host.range(document.text)
            text, gone = host.fresh(7), set(document.text[start:end])
            after = len(document.text) - (end - start) + len(text)
            selection = host.range("x" * after) if host.random.random() < 0.3 else None
            edits.append((set(text), gone))
            document.replace(start, end, text, selection)
        elif step < 0.35:
            document.select(*host.range(document.text))
        elif step < 0.55:
            host.key()
        elif step < 0.8:
            host.read()
        else:
            host.tell(document)
    while host.sent or host.told:
        host.read()
        host.tell(document)
    assert document.is_confirmed
    assert document.text == host.text, "seed %d: %r and %r" % (seed, document.text, host.text)
    gone = set(host.deleted)
    refused = 0
    for text, deleted in edits:
        if any(refuses(character) for character in text):
            # It was not made, however much of it the host had.
            refused += 1
            gone |= text
        else:
            gone |= deleted
    whole = {chr(code) for code in range(0x4E00, host.next)}
    assert refused == host.refused, "seed %d: %d edits were told as refused of %d" % (
        seed, host.refused, refused)
    assert set(host.text) == whole - gone, "seed %d: lost %s, kept %s" % (
        seed, sorted(whole - gone - set(host.text)), sorted(set(host.text) & gone))
    assert len(set(host.text)) == len(host.text), "seed %d: something is there twice" % seed
    for batch in host.batches:
        left = [character for character in host.text if character in batch]
        assert left == sorted(left), "seed %d: %s changed its order" % (seed, left)
    return refused


count = int(sys.argv[2])
for seed in range(count):
    run(seed, lambda character: False)
refusals = sum(run(seed, lambda character: ord(character) % 11 == 0) for seed in range(count))
assert refusals > count, refusals
print("done")
