// A test imports one module: browsers without a screen, backstage and stories come with it.
@_exported public import Headless

// These types appear in the API of those, so `MemberImportVisibility` has to see their members.
// Each is exported by name: the other names of those rooms, such as `Session`, stay free for the
// test.
@_exported public import enum AuthFlow.JSONValue
@_exported public import struct Emulators.AccountDescription
@_exported public import struct Emulators.InstanceSettings
@_exported public import struct HTTPExchange.FormData
@_exported public import protocol HTTPExchange.HTTPTransport
@_exported public import enum HTTPExchange.TransportError
@_exported public import struct HTTPTypes.HTTPField
@_exported public import struct HTTPTypes.HTTPFields
@_exported public import struct HTTPTypes.HTTPRequest
@_exported public import struct HTTPTypes.HTTPResponse
@_exported public import struct Logging.Logger
@_exported public import struct Logging.SwiftLogNoOpLogHandler
@_exported public import enum Vestibule.AuthAPI
@_exported public import struct Vestibule.EmulatedAuthAPI
@_exported public import struct Vestibule.RemoteAuthAPI
@_exported public import struct Vestibule.StartFailure
