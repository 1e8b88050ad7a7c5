// A test imports one module: browsers without a screen, backstage and stories come with it.
@_exported public import Headless
