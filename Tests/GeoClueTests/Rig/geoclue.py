"""A bus of its own with a GeoClue on it that does as it is told.

    geoclue.py FOLDER BEHAVIOUR

Prints the bus's address when all is ready, and ends with its standard input. BEHAVIOUR is one of the
names below.
"""

import os
import signal
import subprocess
import sys
import threading

import dbus
import dbus.lowlevel
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SERVICE = "org.freedesktop.GeoClue2"
PROPERTIES = "org.freedesktop.DBus.Properties"
MANAGER = "/org/freedesktop/GeoClue2/Manager"
CLIENT = "/org/freedesktop/GeoClue2/Client/1"
PLACE = "/org/freedesktop/GeoClue2/Client/1/Location/0"


def main():
    folder, behaviour = sys.argv[1:]
    address = "unix:path=" + os.path.join(folder, "bus")
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1",
         "--address=" + address],
        stdout=subprocess.PIPE)
    try:
        daemon.stdout.readline()
        serve(address, behaviour)
    finally:
        daemon.kill()
        daemon.wait()


def serve(address, behaviour):
    loop = GLib.MainLoop()
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(address)
    name = dbus.service.BusName(SERVICE, bus)

    class Manager(dbus.service.Object):
        @dbus.service.method(SERVICE + ".Manager", out_signature="o")
        def CreateClient(self):
            if behaviour == "dies":
                os._exit(0)
            return dbus.ObjectPath(CLIENT)

    class LyingManager(dbus.service.Object):
        @dbus.service.method(SERVICE + ".Manager", out_signature="as")
        def CreateClient(self):
            return ["not", "a", "client"]

    class SilentManager(dbus.service.Object):
        @dbus.service.method(
            SERVICE + ".Manager", out_signature="o", async_callbacks=("reply", "fail"))
        def CreateClient(self, reply, fail):
            pass

    class Client(dbus.service.Object):
        values = {}

        @dbus.service.method(PROPERTIES, in_signature="ssv")
        def Set(self, interface, key, value):
            self.values[str(key)] = value

        @dbus.service.method(SERVICE + ".Client")
        def Start(self):
            if behaviour == "refuses":
                raise dbus.DBusException(
                    "'%s' disallowed, \x1b[31mno agent" % self.values.get("DesktopId"),
                    name="org.freedesktop.DBus.Error.AccessDenied")
            if behaviour == "finds-nothing":
                self.LocationUpdated("/", "/")
            elif behaviour == "signals-rubbish":
                self.Rubbish()
            elif behaviour == "forged":
                GLib.timeout_add(100, forge)
            else:
                GLib.timeout_add(50, lambda: self.LocationUpdated("/", PLACE))

        @dbus.service.signal(SERVICE + ".Client", signature="oo")
        def LocationUpdated(self, before, after):
            pass

        def Rubbish(self):
            message = dbus.lowlevel.SignalMessage(CLIENT, SERVICE + ".Client", "LocationUpdated")
            message.append("two", 7, signature="su")
            bus.send_message(message)

    other = dbus.bus.BusConnection(address)

    def forge():
        """Somebody else says where the location is."""
        message = dbus.lowlevel.SignalMessage(CLIENT, SERVICE + ".Client", "LocationUpdated")
        message.append(dbus.ObjectPath("/"), dbus.ObjectPath("/forged"), signature="oo")
        other.send_message(message)
        return True

    number = {
        "nan": float("nan"), "infinite": float("inf"), "beyond": 91.0,
        "wrong-type": "52.5", "integer": dbus.Int32(52), "list": dbus.Array([1.0], "d"),
    }.get(behaviour, 52.5)
    accuracy = -1.0 if behaviour == "negative-accuracy" else 40.0

    class Place(dbus.service.Object):
        @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
        def Get(self, interface, key):
            assert interface == SERVICE + ".Location"
            return {"Latitude": number, "Longitude": 13.25, "Accuracy": accuracy}[key]

    managers = {"no-client": LyingManager, "silent": SilentManager}
    objects = [
        managers.get(behaviour, Manager)(bus, MANAGER), Client(bus, CLIENT), Place(bus, PLACE), name
    ]
    if behaviour == "floods":
        def flood():
            for _ in range(200):
                message = dbus.lowlevel.SignalMessage(MANAGER, "org.example.Noise", "Noise")
                message.append("x" * 1000, signature="s")
                bus.send_message(message)
            return True
        GLib.timeout_add(10, flood)

    def end():
        sys.stdin.read()
        loop.quit()

    threading.Thread(target=end, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: loop.quit())
    print(address, flush=True)
    loop.run()
    del objects


main()
