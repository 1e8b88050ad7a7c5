// A test imports one module: browsers without a screen, backstage and stories come with it.
@_exported public import Headless

// And what is named where those are used, so that its members can be seen where imports count for those
// (`MemberImportVisibility`). Each by its own name: the other names of those rooms, such as `Session`, are
// left to whoever tests.
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
