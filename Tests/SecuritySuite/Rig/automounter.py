#!/usr/bin/python3
"""Runs a command beside an automounter, and says which names the kernel told the automounter.

    unshare -m automounter.py FOLDER SECONDS COMMAND...          as root

FOLDER is mounted as an automounter's (autofs, protocol 5) in the mount namespace that it is started
in. Standard input is the command's. On standard output it prints one JSON document: the names that
were looked up in FOLDER while the command ran, and those of a lookup of its own afterwards, which an
automounter that works is told.
"""

import ctypes
import fcntl
import json
import os
import select
import struct
import subprocess
import sys
import threading

# linux/auto_fs.h
PACKET = struct.Struct("=iiIIQIIIII256s")
FAIL = 0x9361  # AUTOFS_IOC_FAIL

folder, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
libc = ctypes.CDLL(None, use_errno=True)
read_end, write_end = os.pipe()
# The automounter's own processes see the folder as it is: it is told of all others.
os.setpgid(0, 0)
options = f"fd={write_end},pgrp={os.getpgrp()},minproto=5,maxproto=5,indirect"
if libc.mount(b"keyhost-test", folder.encode(), b"autofs", 0, options.encode()) < 0:
    sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")
root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
names = []


def serve():
    """Nothing is there, whatever is asked for."""
    while True:
        packet = os.read(read_end, 4096)
        if len(packet) < PACKET.size - 256:
            return
        fields = PACKET.unpack(packet[:PACKET.size])
        names.append(fields[-1][:fields[-2]].decode("utf-8", "replace"))
        fcntl.ioctl(root, FAIL, fields[2])


threading.Thread(target=serve, daemon=True).start()


def run(*command, **options):
    try:
        return subprocess.run(command, start_new_session=True, timeout=seconds, **options)
    except subprocess.TimeoutExpired as late:
        return late


done = run(*command, stdin=sys.stdin, capture_output=True, text=True)
during = list(names)
run("/usr/bin/stat", f"{folder}/control/x", capture_output=True)
print(json.dumps({
    "during": during, "afterwards": names[len(during):],
    "output": str(done.stdout), "errors": str(done.stderr),
    "exit": getattr(done, "returncode", None)}))
libc.umount2(folder.encode(), 2)
