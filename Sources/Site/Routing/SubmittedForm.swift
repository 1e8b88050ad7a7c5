internal import HTTPExchange

/// In this room a form is what was submitted; what a page shows is a value of Pages.
typealias Form = HTTPExchange.Form
