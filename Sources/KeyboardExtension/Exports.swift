// A keyboard imports KeyboardExtension alone: keys, events and traits are part of its interface.
@_exported import TextInput

@_exported import struct PluginProtocol.Contact
@_exported import struct PluginProtocol.Location
@_exported import enum PluginProtocol.SettingValue
