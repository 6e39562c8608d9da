"""What the keyboard of the test tries. The same text runs outside, where the refused ones succeed.

`word` is a random word of the run and the place: a server that hears it was reached.
"""

PUBLIC = "203.0.114.2"
PUBLIC6 = "2a0f:7700:1::2"
ROUTER = "10.8.0.2"
# Public addresses on this machine's own link, and one behind a tunnel.
NEIGHBOUR = "203.0.116.2"
NEIGHBOUR6 = "2a0f:7700:2::2"
BEYOND_TUNNEL = "64.1.2.3"

# Reached from outside; not from inside. Address and port.
REFUSED = {
    "loopback": ("127.0.0.1", 8090),
    "loopbackBlock": ("127.7.7.7", 8090),
    "loopback6": ("::1", 8090),
    "unspecified": ("0.0.0.0", 8090),
    "unspecified6": ("::", 8090),
    "mappedLoopback": ("::ffff:127.0.0.1", 8090),
    "mappedUnspecified": ("::ffff:0.0.0.0", 8090),
    "private": ("10.9.0.1", 80),
    "mappedPrivate": ("::ffff:10.9.0.1", 80),
    "linkLocal": ("169.254.7.7", 80),
    "sharedSpace": ("100.64.0.9", 80),
    "documentation": ("192.0.2.9", 80),
    "benchmarking": ("198.18.0.9", 80),
    "uniqueLocal": ("fd00::9", 80),
    "nat64": ("64:ff9b::a09:1", 80),
    "localNAT64": ("64:ff9b:1::a09:1", 80),
    "sixToFour": ("2002:a09:1::1", 80),
    "teredo": ("2001:0:cb00:7202:0:0:f5f6:fffe", 80),
    "isatap": ("2a0f:7700:1::5efe:10.9.0.1", 80),
    "own": ("203.0.114.1", 8090),
    "mappedOwn": ("::ffff:203.0.114.1", 8090),
    "own6": ("2a0f:7700:1::1", 8090),
    "ownBlock": ("203.0.115.7", 8090),
    "ownBlockWithSource": ("203.0.117.7", 8090),
    "ownBlock6": ("2a0f:7700:3::7", 8090),
    "ownBlockByRule": ("2a0f:7700:4::7", 8090),
    "mappedOwnBlock": ("::ffff:203.0.117.7", 8090),
    "neighbour": (NEIGHBOUR, 80),
    "neighbour6": (NEIGHBOUR6, 80),
    "networkBehindTunnel": ("64.9.0.2", 80),
    "otherPortOfException": ("192.168.77.2", 80),
}

PLAIN = """
import socket
family = socket.AF_INET6 if ":" in {address!r} else socket.AF_INET
with socket.socket(family, socket.SOCK_STREAM) as s:
    s.settimeout(5)
    s.connect(({address!r}, {port}))
    s.sendall(b"GET /" + word.encode() + b" HTTP/1.1\\r\\n\\r\\n")
    result = s.recv(1000).decode()
"""

TASKS = {name: PLAIN.format(address=a, port=p) for name, (a, p) in REFUSED.items()}

HEADER = f"""
import ctypes, errno, fcntl, os, select, selectors, socket, struct, time
PUBLIC = {PUBLIC!r}
PUBLIC6 = {PUBLIC6!r}
NEIGHBOUR = {NEIGHBOUR!r}
BEYOND_TUNNEL = {BEYOND_TUNNEL!r}
REQUEST = b"GET /" + word.encode() + b" HTTP/1.1\\r\\n\\r\\n"
libc = ctypes.CDLL(None, use_errno=True)
def address4(text, port):
    return struct.pack("=H", 2) + struct.pack(">H", port) + socket.inet_aton(text) + bytes(8)
def raw_connect(fd, data, length=None):
    buffer = ctypes.create_string_buffer(bytes(data), len(data))
    if libc.connect(fd, buffer, len(data) if length is None else length) < 0:
        raise OSError(ctypes.get_errno(), "connect")
def finish(s):
    s.sendall(REQUEST)
    return s.recv(1000).decode()
"""


def task(name, text):
    TASKS[name] = HEADER + text


# Refused inside, done outside, by other means than a plain connect.
task("linkLocal6", """
with socket.socket(socket.AF_INET6) as s:
    s.settimeout(5)
    s.connect(("fe80::7", 80, 0, socket.if_nametoindex("v0") if where == "out" else 2))
    result = finish(s)
""")
task("decimal", """
result = finish(socket.create_connection(("2130706433", 8090), 5))
""")
task("nameOfPrivate", """
result = finish(socket.create_connection(("private.example", 80), 5))
""")
task("nameOfLoopback", """
result = finish(socket.create_connection(("local.example", 8090), 5))
""")
task("fastOpenSendto", """
s = socket.socket()
s.sendto(REQUEST, 0x20000000, ("10.9.0.1", 80))
result = s.recv(1000).decode()
""")
task("fastOpenSendmsg", """
s = socket.socket()
s.sendmsg([REQUEST], [], 0x20000000, ("10.9.0.1", 80))
result = s.recv(1000).decode()
""")
RESET = """
# A socket of the host's network that is closed again, and could go elsewhere.
s = socket.create_connection((PUBLIC, 7779))
s.sendall(b"reset")
try:
    s.recv(10)
except ConnectionResetError:
    pass
# The first call after a reset may tell of the reset.
for attempt in range(2):
    try:
        {}
        break
    except ConnectionAbortedError:
        pass
"""
task("fastOpenAfterReset", RESET.format('s.sendto(REQUEST, 0x20000000, ("10.9.0.1", 80))') + """
result = s.recv(1000).decode()
""")
task("connectAfterReset", RESET.format('s.connect(("10.9.0.1", 80))') + """
result = finish(s)
""")
task("disconnect", """
# AF_UNSPEC ends a connection; the socket could then go elsewhere.
s = socket.create_connection((PUBLIC, 80), 5)
raw_connect(s.fileno(), struct.pack("=H", 0) + bytes(14))
s.connect(("10.9.0.1", 80))
result = finish(s)
""")
task("datagram", """
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.sendto(word.encode(), (PUBLIC, 5300))
""")
task("local", """
s = socket.socket(socket.AF_UNIX)
s.connect("\\0" + "keyhost-test-decoy")
s.sendall(word.encode())
""")
task("localOnStream", """
# The address of a local service on a socket that is none: refused outside too.
s = socket.socket()
raw_connect(s.fileno(), struct.pack("=H", 1) + b"\\0keyhost-test-decoy")
""")
task("listen", """
s = socket.socket()
s.listen(1)
with open(container + "/listening", "w") as out: out.write(str(s.getsockname()[1]))
""")
task("bind", """
s = socket.socket()
s.bind(("0.0.0.0", 0))
""")
task("multipath", """
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
s.settimeout(5)
s.connect((PUBLIC, 80))
result = finish(s)
""")
task("swapped", """
import threading
good, bad = address4(PUBLIC, 80), address4("10.9.0.1", 80)
buffer = ctypes.create_string_buffer(good, 16)
done = False
def swap():
    while not done:
        ctypes.memmove(buffer, bad, 16)
        ctypes.memmove(buffer, good, 16)
threading.Thread(target=swap, daemon=True).start()
counts = {"reached": 0, "refused": 0}
until = time.monotonic() + 4
while time.monotonic() < until and counts["reached"] + counts["refused"] < 300:
    with socket.socket() as s:
        if libc.connect(s.fileno(), buffer, 16) == 0:
            s.sendall(REQUEST)
            s.recv(1000)
            counts["reached"] += 1
        else:
            counts["refused"] += 1
done = True
result = counts
""")
for option, (level, name, value) in {
    "fastOpenOption": ("socket.IPPROTO_TCP", "30", "1"),
    "repairOption": ("socket.IPPROTO_TCP", "19", "0"),
    "protocolOption": ("socket.IPPROTO_TCP", "31", 'b"tls"'),
    "deviceOption": ("socket.SOL_SOCKET", "25", 'b"lo"'),
    "markOption": ("socket.SOL_SOCKET", "36", "0"),
    "filterOption": ("socket.SOL_SOCKET", "27", "0"),
    "routeOption": ("socket.IPPROTO_IP", "4", 'b""'),
    "sendBufferOption": ("socket.SOL_SOCKET", "7", "1 << 20"),
    "receiveBufferOption": ("socket.SOL_SOCKET", "8", "1 << 20"),
    "lowWaterOption": ("socket.SOL_SOCKET", "18", "1 << 20"),
    "windowOption": ("socket.IPPROTO_TCP", "10", "1 << 20"),
}.items():
    task(option, f"""
s = socket.socket()
s.setsockopt({level}, {name}, {value})
""")
OPTIONS = ["fastOpenOption", "repairOption", "protocolOption", "deviceOption", "markOption",
           "filterOption", "routeOption", "sendBufferOption", "receiveBufferOption",
           "lowWaterOption", "windowOption"]

# What works as it would outside.
task("http", """
import urllib.request
with urllib.request.urlopen(f"http://{PUBLIC}/{word}", timeout=5) as answer:
    result = answer.read().decode()
""")
task("httpClient", """
import http.client
c = http.client.HTTPConnection("public.example", timeout=5)
c.request("GET", "/" + word)
result = c.getresponse().read().decode()
""")
task("https", """
import ssl, urllib.request
context = ssl.create_default_context(cafile=bundle + "/ca.pem")
with urllib.request.urlopen(f"https://public.example/{word}", timeout=10, context=context) as a:
    result = a.read().decode()
""")
task("httpsUntrusted", """
import urllib.request
urllib.request.urlopen(f"https://public.example/{word}", timeout=10)
""")
task("overIPv6", """
result = finish(socket.create_connection((PUBLIC6, 80), 5))
""")
task("mappedPublic", """
s = socket.socket(socket.AF_INET6)
s.settimeout(5)
s.connect(("::ffff:" + PUBLIC, 80))
result = finish(s)
""")
task("large", """
import urllib.request
with urllib.request.urlopen(f"http://{PUBLIC}/large{word}", timeout=30) as answer:
    result = len(answer.read())
""")
task("exception", """
result = finish(socket.create_connection(("192.168.77.2", 8080), 5))
""")
task("listedNeighbour", """
result = finish(socket.create_connection((NEIGHBOUR, 8080), 5))
""")
task("tunnel", """
result = finish(socket.create_connection((BEYOND_TUNNEL, 80), 5))
""")
task("halfClose", """
s = socket.create_connection((PUBLIC, 7777), 5)
s.sendall(word.encode())
s.shutdown(socket.SHUT_WR)
result = b"".join(iter(lambda: s.recv(100), b"")).decode()
""")
task("closed", """
socket.create_connection((PUBLIC, 9), 5)
""")
task("nonBlocking", """
s = socket.socket()
s.setblocking(False)
code = s.connect_ex((PUBLIC, 80))
chosen = selectors.DefaultSelector()
chosen.register(s, selectors.EVENT_WRITE)
ready = bool(chosen.select(5))
error = s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
s.sendall(REQUEST)
chosen.modify(s, selectors.EVENT_READ)
chosen.select(5)
result = [code in (0, errno.EINPROGRESS), ready, error,
          bool(fcntl.fcntl(s, fcntl.F_GETFL) & os.O_NONBLOCK), s.recv(1000).decode()]
""")
task("readTimeout", """
s = socket.create_connection((PUBLIC, 7778), 5)
s.sendall(word.encode())
s.settimeout(0.3)
s.recv(10)
""")
task("options", """
s = socket.socket()
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 77)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("=qq", 3, 0))
s.connect((PUBLIC, 80))
result = [s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY),
          s.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
          s.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
          struct.unpack("=qq", s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, 16)),
          s.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
          + s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
          bool(fcntl.fcntl(s, fcntl.F_GETFL) & os.O_NONBLOCK), s.getpeername()]
finish(s)
""")
task("secondConnect", """
s = socket.create_connection((PUBLIC, 80), 5)
try:
    s.connect((PUBLIC, 443))
    result = None
except OSError as e:
    result = e.errno
finish(s)
""")
task("silentBounded", """
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("=qq", 0, 400_000))
s.connect(("203.0.114.9", 80))
""")
task("silentNonBlocking", """
socket.create_connection(("203.0.114.9", 80), 0.5)
""")
task("silentBlocking", """
socket.socket().connect(("203.0.114.9", 80))
""")
task("lateRoute", """
# Nobody answers, until the machine takes the address for its own.
s = socket.create_connection(("203.0.114.9", 8090))
result = finish(s)
""")
task("names", """
def ask(name, family=0):
    try:
        return sorted({r[4][0] for r in socket.getaddrinfo(name, 80, family, socket.SOCK_STREAM)})
    except socket.gaierror as e:
        return e.errno
result = {name: ask(name) for name in
          ["public.example", "private.example", "local.example", "missing.example",
           "mixed.example", "localhost", "excepted.example"]}
result["public.example over IPv6"] = ask("public.example", socket.AF_INET6)
""")
task("resolver", """
import array
s = socket.create_connection(("192.0.2.53", 53), 5)
def question(name, kind=1, number=7, flags=0x0100):
    labels = b"".join(bytes([len(l)]) + l for l in name.split(b".")) + b"\\0"
    m = struct.pack(">HHHHHH", number, flags, 1, 0, 0, 0) + labels + struct.pack(">HH", kind, 1)
    return struct.pack(">H", len(m)) + m
def answer():
    size, = struct.unpack(">H", s.recv(2))
    m = b""
    while len(m) < size: m += s.recv(size - len(m))
    number, flags, q, a, _, _ = struct.unpack(">HHHHHH", m[:12])
    return [number, flags & 15, q, a]
found = []
# A descriptor that comes along is refused, or not kept.
# What is watched is watched as long as somebody has it open.
w = os.eventfd(1)
watch = select.epoll()
watch.register(w)
try:
    s.sendmsg([question(b"public.example")],
              [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [w]))])
except PermissionError:
    s.sendall(question(b"public.example"))
found.append(answer())
os.close(w)
found.append(len(watch.poll(0)))
for q in [question(b"public.example", 16), question(b"a_b.example"), question(b"10.9.0.1"),
          question(b"public.example", 1, 9, 0x8100), b"\\0\\x05\\0\\x08\\0\\0\\0"]:
    s.sendall(q)
    found.append(answer())
# Longer than any question: the end.
s.sendall(b"\\xff\\xff" + bytes(100))
found.append(len(s.recv(10)))
result = found
""")
task("lingering", """
# A connection whose last close would wait, since nobody reads what was sent, for the host to close.
import array
def attempt(call):
    try: call()
    except OSError as e: return e.errno
    return 0
names = socket.create_connection(("192.0.2.53", 53), 5)
s = socket.create_connection((PUBLIC, 7780), 5)
linger = attempt(lambda: s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                      struct.pack("ii", 1, 20)))
s.setblocking(False)
until = time.monotonic() + 2
while time.monotonic() < until:
    try: s.send(bytes(1 << 20))
    except BlockingIOError: time.sleep(0.1)
sent = attempt(lambda: names.sendmsg(
    [b"\\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [s.fileno()]))]))
s.close()
began = time.monotonic()
socket.getaddrinfo("public.example", 80, socket.AF_INET)
release = [int(n) for n in os.uname().release.split("-")[0].split(".")[:2]]
result = [linger, sent, time.monotonic() - began, release]
""")
task("memory", """
# As much of the kernel's memory as connections take, with a far end that reads nothing for a while.
kept = []
def attempt():
    s = socket.socket()
    try: s.connect((PUBLIC, 7781))
    except OSError as e: return e.errno
    kept.append(s)
    s.setblocking(False)
    try:
        while True: s.send(bytes(1 << 20))
    except BlockingIOError: pass
def fill():
    for _ in range(100):
        error = attempt()
        if error: return error
first = fill()
found = [len(kept), first,
         max(s.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
             + s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) for s in kept)]
# Closed they are not gone: what was to be sent is kept by the kernel.
for s in kept: s.close()
kept.clear()
found += [fill(), len(kept)]
until = time.monotonic() + 25
while not kept and time.monotonic() < until:
    time.sleep(0.5)
    attempt()
found.append(len(kept))
for s in kept: s.close()
result = found
""")
task("speed", """
# Ten runs of it stay within the budget of connects.
result = []
for _ in range(40):
    time.sleep(0.002)
    s = socket.socket()
    began = time.perf_counter()
    s.connect((PUBLIC, 7779))
    result.append((time.perf_counter() - began) * 1e6)
    s.close()
""")
task("hold", """
s = socket.create_connection((PUBLIC, 7778), 5)
s.sendall(word.encode())
with open(container + "/held", "w") as out: out.write("x")
time.sleep(600)
""")
