"""The scripts: each gets a world of its own and plays one part of the API."""

import base64
import hashlib
import hmac
import struct
import time
from urllib.parse import parse_qs, urlsplit


PASSWORD = "walk-right-in-42"
NEW_PASSWORD = "quite-another-secret-9"


def well_known(world):
    client = world.native()
    client.get("/.well-known/jwks.json")
    client.get("/.well-known/openid-configuration")
    client.get("health")


def environment(world):
    world.native().get("environment")
    world.browser().begin().patch("environment")
    for changes in (
        {"sign_up_mode": "restricted"}, {"sign_up_mode": "waitlist"}, {"identifier_first": True},
        {"enumeration_protection": True}, {"client_trust": "needs_client_trust"},
        {"mfa_required": True}, {"organizations_required": True}, {"organization_creation": False},
        {"email_link": True}, {"legal_consent": True}, {"username": "required"},
        {"username": "optional"}, {"username": "off"}, {"phone": "required"}, {"phone": "off"},
        {"phone": "optional"}, {"names": "required"}, {"names": "optional"},
        {"password_min_length": 12, "password_require": ["upper", "lower", "number", "special"]},
        {"leaked_password_check": False}, {"lockout_attempts": 0}, {"lockout_seconds": None},
        {"test_mode": False},
    ):
        world.settings(**changes)
        world.native().get("environment")


def client(world):
    native = world.native()
    native.get("client")
    native.call("PUT", "client")
    native.get("client")
    native.delete("client")
    native.delete("client", expect=404)
    native.post("client")
    native.delete("client/sessions")
    native.token = "unknown"
    native.get("client")
    native.token = None
    native.delete("client/sessions", expect=401)
    native.get("client/sign_ins/sia_x", expect=400)
    native.get("me", expect=401)


def sign_in_states(world):
    native = world.native()
    native.post("client/sign_ins")
    made = native.post("client/sign_ins", identifier="ada@example.com", locale="en-GB").resource
    path = f"client/sign_ins/{made['id']}"
    native.get(path)
    native.get("client")
    native.post(f"{path}/prepare_first_factor", strategy="email_code")
    native.post(f"{path}/attempt_first_factor", expect=422, strategy="email_code", code="000000")
    native.post(f"{path}/attempt_first_factor", expect=422, strategy="password", password="wrong")
    native.post(f"{path}/prepare_first_factor", strategy="phone_code", channel="sms")
    code = world.code("+12015550110")
    native.post(f"{path}/attempt_first_factor", strategy="phone_code", code=code)
    native.post("client/sign_ins", expect=400, identifier="mia@example.com")
    native.delete("client/sessions")
    native.post("client/sign_ins", expect=422, identifier="nobody@example.com")
    native.post("client/sign_ins", expect=403, identifier="lou@example.com", password=PASSWORD)
    native.post("client/sign_ins", expect=403, identifier="bann@example.com", password=PASSWORD)
    native.post("client/sign_ins", expect=422, identifier="cora@example.com", password=PASSWORD)
    native.post("client/sign_ins", expect=422, identifier="pia@example.com", password=PASSWORD)
    native.post("client/sign_ins", identifier="sven@example.com")
    native.post("client/sign_ins", expect=400, transfer="true")
    native.post("client/sign_ins", identifier="ada@example.com", strategy="email_code")


def second_factors(world):
    native = world.native()
    made = native.sign_in("mia@example.com").resource
    path = f"client/sign_ins/{made['id']}"
    native.post(f"{path}/attempt_second_factor", expect=422, strategy="totp", code="000000")
    native.post(f"{path}/prepare_second_factor", strategy="phone_code")
    native.post(f"{path}/attempt_second_factor", expect=422, strategy="phone_code", code="000000")
    native.post(f"{path}/attempt_second_factor", strategy="backup_code", code="mia-0000-0001")
    other = world.native()
    path = f"client/sign_ins/{other.sign_in('mia@example.com').resource['id']}"
    other.post(f"{path}/attempt_second_factor", strategy="totp", code=world.totp("mia@example.com"))
    device = world.native()
    path = f"client/sign_ins/{device.sign_in('nia@example.com').resource['id']}"
    device.post(f"{path}/prepare_second_factor", strategy="email_code")
    code = world.code("nia@example.com")
    device.post(f"{path}/attempt_second_factor", strategy="email_code", code=code)


def password_reset(world):
    native = world.native()
    made = native.post("client/sign_ins", identifier="ada@example.com",
                       strategy="reset_password_email_code").resource
    path = f"client/sign_ins/{made['id']}"
    code = world.code("ada@example.com")
    native.post(f"{path}/attempt_first_factor", strategy="reset_password_email_code", code=code)
    native.post(f"{path}/reset_password", expect=422, password="short")
    native.post(f"{path}/reset_password", password=NEW_PASSWORD, sign_out_of_other_sessions="1")


def sign_ups(world):
    native = world.native()
    made = native.post("client/sign_ups", email_address="new@example.com").resource
    path = f"client/sign_ups/{made['id']}"
    native.get(path)
    native.patch(path, expect=422, password="short")
    native.patch(path, password=NEW_PASSWORD, unsafe_metadata='{"plan":"small"}')
    native.post(f"{path}/prepare_verification", strategy="email_code")
    native.get("client")
    native.post(f"{path}/attempt_verification", expect=422, strategy="email_code", code="000000")
    code = world.code("new@example.com")
    native.post(f"{path}/attempt_verification", strategy="email_code", code=code)
    world.settings(phone="required", names="required", username="required", legal_consent=True)
    other = world.native()
    made = other.post(
        "client/sign_ups", email_address="more@example.com", phone_number="+12015550177",
        username="more", first_name="More", last_name="Still", password=NEW_PASSWORD,
        legal_accepted="true", strategy="phone_code",
    ).resource
    other.post(f"client/sign_ups/{made['id']}/attempt_verification", strategy="phone_code",
               code="424242")


def sessions(world):
    world.settings(jwt_templates=["hasura"])
    native = world.native()
    native.sign_in("ada@example.com")
    path = f"client/sessions/{native.session}"
    native.get(path)
    native.post(f"{path}/touch", intent="focus")
    native.post(f"{path}/tokens")
    native.post(f"{path}/tokens/hasura")
    native.get("me/sessions/active")
    native.get("me/sessions")
    other = world.native()
    other.sign_in("ada@example.com")
    native.post(f"me/sessions/{other.session}/revoke")
    native.get("me/sessions")
    native.post(f"{path}/end")
    native.get("client")
    native.sign_in("ada@example.com")
    native.post(f"client/sessions/{native.session}/remove")
    native.get("client/sessions/sess_x", expect=404)


def reverification(world):
    native = world.native()
    native.sign_in("ada@example.com")
    path = f"client/sessions/{native.session}/verify"
    native.post(path, level="first_factor")
    native.post(f"{path}/prepare_first_factor", strategy="email_code")
    native.post(f"{path}/attempt_first_factor", expect=422, strategy="email_code", code="000000")
    native.post(f"{path}/attempt_first_factor", strategy="password", password=PASSWORD)
    mia = world.native()
    made = mia.sign_in("mia@example.com").resource
    done = mia.post(f"client/sign_ins/{made['id']}/attempt_second_factor", strategy="backup_code",
                    code="mia-0000-0002")
    mia.session = done.resource["created_session_id"]
    path = f"client/sessions/{mia.session}/verify"
    mia.post(path, level="multi_factor")
    mia.post(f"{path}/attempt_first_factor", strategy="password", password=PASSWORD)
    mia.post(f"{path}/prepare_second_factor", strategy="phone_code")
    code = world.code("+12015550123")
    mia.post(f"{path}/attempt_second_factor", strategy="phone_code", code=code)


def user(world):
    native = world.native()
    native.sign_in("ada@example.com")
    native.get("me")
    native.patch("me", first_name="Ada", last_name="", username="ada-l")
    native.patch("me/metadata", unsafe_metadata='{"theme":{"dark":true},"old":null}')
    native.patch("me", expect=(400, 403, 422), password="x")
    native.post("me/change_password", new_password=NEW_PASSWORD, current_password=PASSWORD,
                sign_out_of_other_sessions="true")
    native.post("me/change_password", expect=422, new_password=NEW_PASSWORD,
                current_password="wrong-one-42")
    native.post("me/change_password", expect=422, new_password="short",
                current_password=NEW_PASSWORD)


def email_addresses(world):
    native = world.native()
    native.sign_in("ada@example.com")
    native.get("me/email_addresses")
    made = native.post("me/email_addresses", email_address="ada-two@example.com")
    path = f"me/email_addresses/{made.resource['id']}"
    native.post(f"{path}/prepare_verification", strategy="email_code")
    native.post(f"{path}/attempt_verification", expect=422, code="000000")
    native.post(f"{path}/attempt_verification", code=world.code("ada-two@example.com"))
    native.patch("me", primary_email_address_id=made.resource["id"])
    native.get("me/email_addresses")


def phone_numbers(world):
    native = world.native()
    native.sign_in("ada@example.com")
    native.get("me/phone_numbers")
    made = native.post("me/phone_numbers", phone_number="+12015550188",
                       reserved_for_second_factor="true")
    path = f"me/phone_numbers/{made.resource['id']}"
    native.post(f"{path}/prepare_verification", strategy="phone_code")
    native.post(f"{path}/attempt_verification", code="424242")
    native.patch(path, reserved_for_second_factor="true", default_second_factor="1")


def authenticator(world):
    native = world.native()
    native.sign_in("ada@example.com")
    made = native.post("me/totp")
    native.post("me/totp/attempt_verification", expect=422, code="000000")
    native.post("me/totp/attempt_verification", code=totp(made.resource["secret"]))
    native.post("me/backup_codes")
    native.delete("me/totp")


def totp(secret, now=None):
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(now or time.time()) // 30), "sha1").digest()
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def organizations(world):
    otto = world.native()
    otto.sign_in("otto@example.com")
    memberships = otto.get("me/organization_memberships", query={"limit": "20", "offset": "0"})
    otto.get("me/organization_memberships", query={"paginated": "true"})
    otto.get("me/organization_invitations", query={"status": "pending"})
    otto.get("me/organization_suggestions", query={"status": "pending"})
    otto.get("me/organization_creation_defaults")
    data = memberships.resource
    first = (data["data"] if isinstance(data, dict) else data)[0]
    otto.post(f"client/sessions/{otto.session}/touch", intent="select_org",
              active_organization_id=first["organization"]["id"])
    otto.post(f"client/sessions/{otto.session}/tokens")
    olga = world.native()
    olga.sign_in("olga@example.com")
    made = olga.post("organizations", name="Lantern Works", slug="lantern-works")
    olga.post(f"client/sessions/{olga.session}/touch", intent="select_org",
              active_organization_id=made.resource["id"])
    olga.post("organizations", expect=422, name="")
    for kind in ("invitations", "suggestions"):
        olga.post(f"me/organization_{kind}/unknown/accept", expect=404)
    accept_offers(world)


def organization_members(world):
    ada = world.native()
    ada.sign_in("ada@example.com")
    path = "organizations/" + ada.post("organizations", name="Quay Works").resource["id"]
    ada.get(path)
    ada.patch(path, name="Quay and Company", slug="quay-and-company")
    ada.get(f"{path}/roles")
    ada.post(f"{path}/memberships", user_id="user_otto", role="org:member")
    ada.get(f"{path}/memberships")
    ada.get(f"{path}/memberships", query={"paginated": "true", "query": "otto"})
    ada.patch(f"{path}/memberships/user_otto", role="org:admin")
    ada.delete(f"{path}/memberships/user_otto")
    ada.delete(f"{path}/memberships/user_ada", expect=400)
    invited = ada.post(f"{path}/invitations", email_address="tess@example.com", role="org:member")
    ada.get(f"{path}/invitations", query={"status": "pending"})
    ada.get(f"{path}/invitations/pending")
    ada.post(f"{path}/invitations/{invited.resource['id']}/revoke")
    ada.delete(path)
    ada.get(path, expect=404)


def accept_offers(world):
    offer = {"name": "Pine Street", "slug": "pine-street", "role": "org:member"}
    other = {"name": "Quay Choir", "slug": "quay-choir", "role": "org:member"}
    world.backstage("POST", "users", {
        "email_addresses": ["guest@example.com"], "password": PASSWORD,
        "organization_invitations": [offer], "organization_suggestions": [other],
    })
    guest = world.native()
    guest.sign_in("guest@example.com")
    for kind in ("invitations", "suggestions"):
        listed = guest.get(f"me/organization_{kind}").resource
        first = (listed["data"] if isinstance(listed, dict) else listed)[0]
        guest.post(f"me/organization_{kind}/{first['id']}/accept")
        guest.post(f"me/organization_{kind}/{first['id']}/accept", expect=400)
    guest.get("me/organization_memberships")


def email_links(world):
    native = world.native()
    made = native.post("client/sign_ins", identifier="link@example.com", strategy="email_link",
                       redirect_url="http://localhost:3000/verify").resource
    path, query = link_of(world, "link@example.com")
    native.get(path, expect=303, query=query)
    native.get(f"client/sign_ins/{made['id']}")
    world.native().get("/v1/verify", expect=400, query={"token": "nonsense"})


def native_email_links(world):
    verifier, challenge = pkce()
    native = world.native()
    made = native.post("client/sign_ins", identifier="link@example.com").resource
    native.post(f"client/sign_ins/{made['id']}/prepare_first_factor", strategy="email_link",
                redirect_uri="http://localhost:3000/landing", code_challenge=challenge,
                code_challenge_method="S256")
    path, query = link_of(world, "link@example.com")
    if path == "/v1/verify":
        location = native.get(path, expect=303, query=query).headers["location"]
        path, query = parts(location)
    native.post("client/magic_links/complete", expect=422, flow_id=query["flow_id"],
                approval_token=query["approval_token"], code_verifier="wrong")
    done = native.post("client/magic_links/complete", flow_id=query["flow_id"],
                       approval_token=query["approval_token"], code_verifier=verifier)
    native.post("client/sign_ins", strategy="ticket", ticket=done.resource["ticket"])
    native.delete("client/sessions")
    native.post("client/sign_ins", expect=400, strategy="ticket", ticket=done.resource["ticket"])


def link_of(world, address):
    return parts(world.message(address)["link"])


def parts(link):
    split = urlsplit(link)
    return split.path, {name: values[0] for name, values in parse_qs(split.query).items()}


def pkce():
    verifier = "a-code-verifier-of-more-than-forty-three-characters-0"
    digest = hashlib.sha256(verifier.encode()).digest()
    return verifier, base64.urlsafe_b64encode(digest).decode().rstrip("=")


def waitlist(world):
    world.settings(sign_up_mode="waitlist")
    native = world.native()
    native.post("waitlist", email_address="wait@example.com")
    native.post("waitlist", email_address="wait@example.com")
    native.post("waitlist", expect=422, email_address="nonsense")
    native.post("client/sign_ups", expect=403, email_address="wait@example.com")
    world.settings(sign_up_mode="public")
    native.post("waitlist", expect=403, email_address="wait@example.com")


def browser(world):
    page = world.browser()
    page.post("client/sign_ins", expect=401)
    page.begin()
    page.get("environment")
    page.get("client")
    page.post("client/sign_ins", identifier="ada@example.com", password=PASSWORD)
    client = page.get("client").resource
    page.session = client["last_active_session_id"]
    page.get("me")
    page.patch("me", first_name="Ada")
    page.post(f"client/sessions/{page.session}/touch", intent="focus", active_organization_id="")
    page.post(f"client/sessions/{page.session}/tokens", organization_id="")
    page.get("client/handshake", expect=307, query={"redirect_url": "http://localhost:3000/"})
    page.get("client/handshake", expect=422, query={"redirect_url": "https://evil.example/"})
    page.delete("client/sessions")
    page.call("PUT", "client")


def requests_refused(world):
    native = world.native()
    native.get("environment", expect=400, fields={"Clerk-API-Version": "2020-01-01"})
    native.post("client/sign_ins", expect=415, fields={"Content-Type": "application/json"}, a="b")
    native.post("client/sign_ins", expect=413, identifier="x" * 70_000)
    world.settings(rate_limits=True)
    native.post("client")
    for _ in range(6):
        last = native.post("client/sign_ins", expect=(200, 429), identifier="ada@example.com")
    if last.status != 429:
        raise ValueError("rate limits do not limit")


ALL = [
    well_known, environment, client, sign_in_states, second_factors, password_reset, sign_ups,
    sessions, reverification, user, email_addresses, phone_numbers, authenticator, organizations,
    organization_members, email_links, native_email_links, waitlist, browser, requests_refused,
]
