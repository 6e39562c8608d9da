#!/usr/bin/python3
"""Makes a network of its own, types through a keyboard in it, and says what became of what.

    unshare -nm rig.py KEYHOST WORK          as root
    unshare -Urnm rig.py KEYHOST WORK        as an ordinary user
    ... rig.py KEYHOST WORK TASK...          these tasks only
    ... rig.py KEYHOST WORK --bench          microseconds of connects, inside and outside in turn

The network namespace it is started in is the machine the host runs on; another one is the rest of
the world, with public addresses and others, and the router that leads to them. A second link
between the two stands for a tunnel. On standard output it prints one JSON document.
"""

import ctypes
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tasks
from servers import Servers

KEYHOST, WORK = sys.argv[1:3]
RIG = os.path.dirname(os.path.abspath(__file__))
IS_USER = open("/proc/self/uid_map").read().split()[1] != "0"
libc = ctypes.CDLL(None, use_errno=True)


def own_product():
    """A copy of the programs and policies in the work folder."""
    folder = os.path.dirname(KEYHOST)
    prefix = WORK + "/prefix"
    if os.path.isdir(folder + "/../libexec/keyhost"):
        shutil.copytree(os.path.dirname(folder), prefix)
        return prefix + "/bin/keyhost"
    policies = folder
    while not os.path.isdir(policies + "/Policies"):
        policies = os.path.dirname(policies)
    for source, target in [("keyhost", "bin"), ("keyhost-launcher", "libexec/keyhost")]:
        os.makedirs(f"{prefix}/{target}")
        shutil.copy(f"{folder}/{source}", f"{prefix}/{target}/{source}")
    shutil.copytree(policies + "/Policies", prefix + "/share/keyhost/Policies")
    return prefix + "/bin/keyhost"


def own_root():
    """For an ordinary user: a root that belongs to this user, folder by folder.

    In here nothing is root's, since root has no id here, and the host trusts programs and policies
    only where no third one could have put others in their place.
    """
    global KEYHOST, RIG, WORK
    product = os.path.relpath(own_product(), WORK)
    shutil.copytree(RIG, WORK + "/Rig")
    root = WORK + "/root"
    os.makedirs(root)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", root], check=True)
    for name in ["w", "tmp", *os.listdir("/")]:
        target = f"{root}/{name}"
        if os.path.lexists(target):
            continue
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), target)
        elif name == "tmp":
            os.makedirs(target)
            os.chmod(target, 0o1777)
        elif name == "w" or os.path.isdir("/" + name):
            os.makedirs(target)
            source = WORK if name == "w" else "/" + name
            # Folders that this user cannot use are not needed.
            subprocess.run(["mount", "--rbind", source, target], stderr=subprocess.DEVNULL)
    os.chdir(root)
    # pivot_root, not chroot: a process that was chrooted makes no user namespaces.
    if libc.syscall(155, b".", b".") < 0 or libc.umount2(b".", 2) < 0:
        raise OSError(ctypes.get_errno(), "pivot_root")
    os.chdir("/")
    KEYHOST, RIG, WORK = f"/w/{product}", "/w/Rig", "/w"


if IS_USER:
    own_root()
KEYBOARD = "org.example.network.keyboard"
SECRET = f"{random.getrandbits(64):016x}"
ARRIVALS = WORK + "/arrivals"
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": WORK,
    **{f"XDG_{n.upper()}_{'DIR' if n == 'runtime' else 'HOME'}": f"{WORK}/{n}"
       for n in ["config", "data", "state", "cache", "runtime"]},
}
CONTAINER = f"{WORK}/data/keyhost/containers/keyboards/{KEYBOARD}"


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


def as_user(command):
    """Back to an id that is not root's, in this network: a host that thinks it is root is not."""
    if not IS_USER:
        return command
    return ["unshare", "-U", "--map-user=1000", "--map-group=1000", *command]


def keyhost(*arguments):
    return subprocess.run(
        as_user([KEYHOST, *arguments]), env=ENVIRONMENT, capture_output=True, text=True)


def make_certificates():
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, cwd=WORK, capture_output=True)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem",
            "-days", "2", "-subj", "/CN=Test", "-addext", "basicConstraints=critical,CA:TRUE")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.csr",
            "-subj", "/CN=public.example")
    with open(WORK + "/server.ext", "w") as out:
        out.write(f"subjectAltName=DNS:public.example,IP:{tasks.PUBLIC}\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2",
            "-CAcreateserial", "-extfile", "server.ext", "-out", "server.pem")


def world():
    """The other namespace: a process that lives in it and serves."""
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child:
        os.read(ready[0], 1)
        return child, go[1]
    libc.prctl(1, signal.SIGKILL)
    if libc.unshare(0x40000000) < 0:
        os._exit(1)
    os.write(ready[1], b"x")
    os.read(go[0], 1)
    ip("link", "set", "lo", "up")
    ip("link", "set", "v1", "address", "02:00:00:00:00:02", "up")
    four = [tasks.PUBLIC + "/24", tasks.ROUTER + "/32", "192.168.77.2/24", tasks.NEIGHBOUR + "/24",
            tasks.BEYOND_TUNNEL + "/32"] + [
        a + "/32" for a, p in tasks.REFUSED.values() if p == 80 and ":" not in a]
    six = [tasks.PUBLIC6 + "/64", "fe80::7/64", tasks.NEIGHBOUR6 + "/64"] + [
        a + "/128" for a, p in tasks.REFUSED.values()
        if p == 80 and ":" in a and "ffff" not in a and a != tasks.NEIGHBOUR6]
    for address in dict.fromkeys(four):
        subprocess.run(["ip", "addr", "add", address, "dev", "v1"], stderr=subprocess.DEVNULL)
    for address in six:
        ip("-6", "addr", "add", address, "dev", "v1", "nodad")
    ip("route", "add", "default", "dev", "v1")
    ip("-6", "route", "add", "default", "dev", "v1")
    # Nobody has this address, and nobody says so: what is sent there gets no answer.
    ip("route", "add", "blackhole", "203.0.114.9")
    tunnel("p1")
    servers = Servers(ARRIVALS, (WORK + "/server.pem", WORK + "/server.key"))
    servers.listen(80, servers.http)
    servers.listen(8080, servers.http)
    servers.listen(443, servers.http, tls=True)
    servers.listen(7777, servers.echo)
    servers.listen(7778, servers.hold)
    servers.datagrams(5300)

    def reset(connection):
        connection.recv(10)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    servers.listen(7779, reset)
    # One who never reads.
    servers.listen(7780, lambda connection: time.sleep(600))
    # One who reads nothing, and then goes.
    servers.listen(7781, lambda connection: time.sleep(6) or reset(connection))
    os.write(ready[1], b"x")
    signal.pause()
    os._exit(0)


def tunnel(name):
    """Makes a link one that asks for nobody's hardware address: both ends have the same."""
    ip("link", "set", name, "address", "02:00:00:00:00:03", "arp", "off", "up")


def make_network():
    child, go = world()
    # Answers come by another link than the one that leads there.
    for name in ["all", "default"]:
        with open(f"/proc/sys/net/ipv4/conf/{name}/rp_filter", "w") as out:
            out.write("0")
    ip("link", "set", "lo", "up")
    ip("link", "add", "v0", "type", "veth", "peer", "name", "v1", "netns", str(child))
    ip("link", "set", "v0", "up")
    ip("addr", "add", "203.0.114.1/32", "dev", "v0")
    ip("addr", "add", "192.168.77.1/24", "dev", "v0")
    ip("-6", "addr", "add", "2a0f:7700:1::1/128", "dev", "v0", "nodad")
    ip("route", "add", "default", "via", tasks.ROUTER, "dev", "v0", "onlink", "src", "203.0.114.1")
    ip("-6", "route", "add", "default", "via", "fe80::7", "dev", "v0")
    # Public addresses, and no router between.
    ip("addr", "add", "203.0.116.1/24", "dev", "v0")
    ip("-6", "addr", "add", "2a0f:7700:2::1/64", "dev", "v0", "nodad")
    # A tunnel to the Internet, and one to a network that has public addresses.
    ip("link", "add", "p0", "type", "veth", "peer", "name", "p1", "netns", str(child))
    tunnel("p0")
    ip("route", "add", "64.0.0.0/7", "dev", "p0", "src", "203.0.114.1")
    ip("route", "add", "64.9.0.0/16", "dev", "p0", "src", "203.0.114.1")
    # Blocks of addresses that are this machine's, though no interface has one.
    ip("route", "add", "local", "203.0.115.0/24", "dev", "lo")
    ip("route", "add", "local", "203.0.117.0/24", "dev", "lo", "src", "203.0.114.1")
    ip("-6", "route", "add", "local", "2a0f:7700:3::/48", "dev", "lo")
    ip("-6", "route", "add", "local", "2a0f:7700:4::/48", "dev", "lo", "table", "100")
    ip("-6", "rule", "add", "ipproto", "tcp", "dport", "8090", "lookup", "100")
    with open("/proc/sys/net/ipv4/tcp_fastopen", "w") as out:
        out.write("1027")
    os.write(go, b"x")
    servers = Servers(ARRIVALS)
    servers.listen(8090, servers.http)
    servers.local("keyhost-test-decoy")
    until = time.monotonic() + 20
    while True:
        try:
            socket.create_connection((tasks.PUBLIC6, 7779), 1).close()
            return child
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def make_names():
    """This machine's names, for the host and for what runs outside."""
    files = {
        "/etc/hosts": f"""127.0.0.1 localhost local.example
{tasks.PUBLIC} public.example mixed.example
{tasks.PUBLIC6} public.example
10.9.0.1 private.example mixed.example
192.168.77.2 excepted.example
""",
        "/etc/nsswitch.conf": "hosts: files\n",
    }
    for path, text in files.items():
        source = WORK + "/" + os.path.basename(path)
        with open(source, "w") as out:
            out.write(text)
        subprocess.run(["mount", "--bind", source, path], check=True)


def make_bundle():
    app = WORK + "/Network.app"
    bundle = app + "/PlugIns/NetworkKeyboard.appex"
    os.makedirs(bundle)
    for path, text in [
        (app, plist({"CFBundleIdentifier": "org.example.network", "CFBundleDisplayName": "Network",
                     "CFBundleShortVersionString": "1.0"})),
        (bundle, plist({
            "CFBundleIdentifier": KEYBOARD, "CFBundleExecutable": "network_keyboard",
            "CFBundleDisplayName": "Network", "CFBundleShortVersionString": "1.0",
            "NSExtension": {
                "NSExtensionPointIdentifier": "com.apple.keyboard-service",
                "NSExtensionPrincipalClass": "Keyboard",
                "NSExtensionAttributes": {
                    "IsASCIICapable": True, "PrefersRightToLeft": False,
                    "PrimaryLanguage": "en-US", "RequestsOpenAccess": True}}})),
    ]:
        with open(path + "/Info.plist", "wb") as out:
            out.write(text)
    shutil.copy(RIG + "/network_keyboard.py", bundle + "/network_keyboard")
    os.chmod(bundle + "/network_keyboard", 0o755)
    shutil.copy(WORK + "/ca.pem", bundle + "/ca.pem")
    with open(bundle + "/secret", "w") as out:
        out.write(SECRET)
    for name, text in tasks.TASKS.items():
        with open(f"{bundle}/task_{name}.py", "w") as out:
            out.write(text)
    return app, bundle


def plist(value):
    import plistlib
    return plistlib.dumps(value)


class Typing:
    """A running `keyhost type`."""

    def __init__(self):
        self.errors = open(WORK + "/errors", "ab")
        self.output = open(WORK + "/output", "ab")
        self.process = subprocess.Popen(
            as_user([KEYHOST, "type", "--events", "--json", "--show-output"]), env=ENVIRONMENT,
            stdin=subprocess.PIPE, stdout=self.output, stderr=self.errors)
        self.say({"open": "d"}, {"focus": "d"})

    def say(self, *steps):
        for step in steps:
            self.process.stdin.write(json.dumps(step).encode() + b"\n")
        self.process.stdin.flush()

    def run(self, name):
        self.say({"tap": "run." + name})

    def end(self):
        self.process.stdin.close()
        return self.process.wait(30)


def wait_for(condition, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        value = condition()
        if value is not None:
            return value
        time.sleep(0.01)
    return None


def read_json(path):
    try:
        with open(path) as source:
            return json.load(source)
    except (FileNotFoundError, NotADirectoryError, json.JSONDecodeError):
        # A file that is not written to its end yet is one that is not there yet.
        return None


def inside(typing, name, seconds=30):
    path = f"{CONTAINER}/{name}.json"
    if os.path.exists(path):
        os.remove(path)
    typing.run(name)
    return wait_for(lambda: read_json(path), seconds)


def outside(bundle, name):
    folder = WORK + "/outside"
    os.makedirs(folder, exist_ok=True)
    subprocess.run(
        as_user(["/usr/bin/python3", "-IS", bundle + "/network_keyboard", "--outside", name, folder]),
        env=ENVIRONMENT, timeout=60)
    return read_json(f"{folder}/{name}.json")


def arrivals():
    try:
        with open(ARRIVALS) as source:
            return [json.loads(line) for line in source if line.endswith("\n")]
    except FileNotFoundError:
        return []


def log():
    return [json.loads(line) for line in keyhost("log", "--json").stdout.splitlines()]


def main():
    for name in ["config", "data", "state", "cache", "runtime"]:
        os.makedirs(f"{WORK}/{name}", mode=0o711, exist_ok=True)
    make_certificates()
    make_names()
    world_process = make_network()
    app, bundle = make_bundle()
    report = {"user": IS_USER, "setUp": []}
    for arguments in [
        ["apps", "install", app], ["keyboards", "add", KEYBOARD, "--position=1"],
        ["grant", KEYBOARD, "open-access", "--allow-host=192.168.77.2:8080",
         f"--allow-host={tasks.NEIGHBOUR}:8080"],
    ]:
        done = keyhost(*arguments)
        report["setUp"].append([done.returncode, done.stderr])

    only = sys.argv[3:]
    if only == ["--bench"]:
        bench(bundle)
        os.kill(world_process, signal.SIGKILL)
        return
    slow = ["silentBlocking", "lateRoute", "hold", "listen", "speed"]
    names = only or [name for name in tasks.TASKS if name not in slow]
    typing = Typing()
    report["access"] = wait_for(lambda: read_json(CONTAINER + "/access.json"), 20)
    report["inside"] = {name: inside(typing, name) for name in names}
    report["outside"] = {name: outside(bundle, name) for name in names
                         if name not in ["resolver", "lingering", "memory"]}
    if not only:
        report["inside"]["listen"] = inside(typing, "listen")
        report["outside"]["listen"] = outside(bundle, "listen")
        report["lateRoute"] = late_route(typing, bundle)
        report["freeze"] = freeze(typing)
        report["revoke"] = revoke(typing)
        report["log"] = log()
    report["exit"] = typing.end()
    report["log"] = log()
    report["arrivals"] = arrivals()
    for stream in ["errors", "output"]:
        with open(f"{WORK}/{stream}") as source:
            report[stream] = source.read()[-20000:]
    os.kill(world_process, signal.SIGKILL)
    print(json.dumps(report))


def bench(bundle):
    typing = Typing()
    wait_for(lambda: read_json(CONTAINER + "/access.json"), 20)
    found = {"brokered": [], "plain": []}
    for turn in range(10):
        for name, result in [
            ("brokered", inside(typing, "speed")), ("plain", outside(bundle, "speed"))]:
            # The first of a run are thrown away.
            found[name] += result["value"][10:]
    typing.end()
    print(json.dumps(found))


def late_route(typing, bundle):
    """An address becomes this machine's own while a connect to it is under way."""
    route = ["local", "203.0.114.9/32", "dev", "lo", "src", "203.0.114.1"]
    path = CONTAINER + "/lateRoute.json"
    typing.run("lateRoute")
    time.sleep(0.5)
    early = read_json(path)
    ip("route", "add", *route)
    # The kernel asks again after one second, three, seven.
    inside = wait_for(lambda: read_json(path), 20)
    result = {"early": early, "inside": inside, "outside": outside(bundle, "lateRoute")}
    ip("route", "del", *route)
    return result


def freeze(typing):
    """A secure field gets the focus while a connect is under way."""
    path = CONTAINER + "/silentBlocking.json"
    typing.run("silentBlocking")
    time.sleep(0.7)
    early = read_json(path)
    typing.say(
        {"open": "p", "field": {"isSecureTextEntry": True}}, {"focus": "p"}, {"type": "secret"})
    froze = wait_for(lambda: [r for r in log() if r["event"] == "freeze"] or None, 5)
    while_frozen = read_json(path)
    typing.say({"close": "p"}, {"focus": "d"})
    after = wait_for(lambda: read_json(path), 10)
    again = inside(typing, "http")
    return {"early": early, "froze": froze, "whileFrozen": while_frozen, "after": after,
            "again": again}


def revoke(typing):
    """Open access is taken back while a connection stands and another is being made."""
    typing.run("hold")
    begun = wait_for(
        lambda: [a for a in arrivals() if a["word"].startswith("begin hold-in")] or None, 10)
    typing.run("silentBlocking")
    time.sleep(0.3)
    os.remove(CONTAINER + "/access.json")
    began = time.monotonic()
    done = keyhost("revoke", KEYBOARD, "open-access")
    revoked = time.monotonic()
    ended = wait_for(
        lambda: [a for a in arrivals() if a["word"].startswith("end hold-in")] or None, 10)
    seconds = time.monotonic() - revoked
    typing.say({"tap": "a"})
    access = wait_for(lambda: read_json(CONTAINER + "/access.json"), 20)
    after = inside(typing, "http")
    return {"begun": bool(begun), "code": done.returncode, "ended": bool(ended),
            "seconds": seconds, "command": revoked - began, "access": access, "after": after}


main()
