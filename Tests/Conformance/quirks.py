"""Where the emulator and Clerk's description differ on purpose, one entry each, with the reason."""

from openapi import Operation

# What our client says about itself on every request (<doc:ClerkTransport#Our-profile>).
HEADERS_OF_OUR_CLIENT = {
    "clerk-api-version": "2026-05-12",
    "accept": "application/json",
    "content-type": "application/x-www-form-urlencoded",
}
QUERY_OF_OUR_CLIENT = {
    "_is_native", "_clerk_session_id", "limit", "offset", "paginated", "rotating_token_nonce", "status",
}

# Endpoints that the SDKs use and the description leaves out.
UNDESCRIBED = {
    "POST /v1/client/magic_links/complete": "native email links, in ClerkKit alone",
}

# Statuses that every endpoint may have, or that the description forgets.
ANYWHERE = {
    429: "429 is possible on any call",
    501: "501 emulator_not_implemented is the emulator's own",
    400: "400 for what is wrong with any request: version, origin, encoding",
    401: "401 without or with an unknown token",
    413: "413 request_body_too_large on any call",
    415: "415 unsupported_content_type on any call",
}

# Violations of a schema: method and path, place, pointer, what to find in the reason, why.
DOCUMENTED: list[tuple[str, str, str, str, str]] = [
    ("/v1/", "answer", "/sessions/", "'pending' is not one of",
     "older shapes that some answers reference lack the session status `pending`"),
    ("GET /v1/environment", "answer", "/organization_settings", "'force_organization_selection'",
     "real instances send it, and the SDKs read it"),
    ("/v1/environment", "answer", "/auth_config", "'session_minter'",
     "real instances send it, and the SDKs read it"),
    ("/prepare_verification", "request", "/", "'code_challenge', 'code_challenge_method',",
     "the SDKs send a link's address and secret although the schema leaves them out"),
]


# The stand-in for an organisation's own page, which is not part of Clerk's API.
STAND_IN = "/v1/enterprise_sso"


def is_of_this_api(call) -> bool:
    """Journeys over Entra are recorded too; Clerk's description says nothing about them."""
    return call.path != STAND_IN and call.path.startswith(("/v1/", "/.well-known/", "/oauth/"))


def undescribed(call) -> Operation | None:
    if f"{call.method} {call.path}" in UNDESCRIBED:
        errors = {"$ref": "#/components/responses/ClerkErrors"}
        return Operation(
            call.method, call.path, {"responses": {"200": {}, "400": errors, "422": errors}}
        )
    return None


def is_deliberately_unknown(call) -> bool:
    """Scripts may ask for what does not exist, to see that the emulator says so."""
    return not call.is_journey and call.status in (404, 501)


def undescribed_status(call, operation) -> str | None:
    return ANYWHERE.get(call.status)


def may_have_form(call) -> bool:
    return f"{call.method} {call.path}" in UNDESCRIBED


def documented(call, place: str, pointer: str, reason: str) -> str | None:
    for endpoint, where, at, text, why in DOCUMENTED:
        if endpoint in f"{call.method} {call.path}" and where in place:
            if at in pointer and text in reason:
                return why
    return None
