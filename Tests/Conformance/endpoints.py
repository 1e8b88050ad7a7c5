"""The endpoints that must have answered at least once: those of the notes on Clerk's API."""

ENDPOINTS = """
GET /.well-known/jwks.json
GET /.well-known/openid-configuration
GET /v1/health

GET /v1/environment
PATCH /v1/environment
GET /v1/client
PUT /v1/client
POST /v1/client
DELETE /v1/client
DELETE /v1/client/sessions
GET /v1/client/handshake
POST /v1/dev_browser

POST /v1/client/sign_ins
GET /v1/client/sign_ins/{sign_in_id}
POST /v1/client/sign_ins/{sign_in_id}/prepare_first_factor
POST /v1/client/sign_ins/{sign_in_id}/attempt_first_factor
POST /v1/client/sign_ins/{sign_in_id}/prepare_second_factor
POST /v1/client/sign_ins/{sign_in_id}/attempt_second_factor
POST /v1/client/sign_ins/{sign_in_id}/reset_password

POST /v1/client/sign_ups
GET /v1/client/sign_ups/{sign_up_id}
PATCH /v1/client/sign_ups/{sign_up_id}
POST /v1/client/sign_ups/{sign_up_id}/prepare_verification
POST /v1/client/sign_ups/{sign_up_id}/attempt_verification

GET /v1/verify
POST /v1/client/magic_links/complete

GET /v1/client/sessions/{session_id}
POST /v1/client/sessions/{session_id}/touch
POST /v1/client/sessions/{session_id}/end
POST /v1/client/sessions/{session_id}/remove
POST /v1/client/sessions/{session_id}/tokens
POST /v1/client/sessions/{session_id}/tokens/{template_name}
POST /v1/me/sessions/{session_id}/revoke
GET /v1/me/sessions/active
GET /v1/me/sessions
POST /v1/client/sessions/{session_id}/verify
POST /v1/client/sessions/{session_id}/verify/prepare_first_factor
POST /v1/client/sessions/{session_id}/verify/attempt_first_factor
POST /v1/client/sessions/{session_id}/verify/prepare_second_factor
POST /v1/client/sessions/{session_id}/verify/attempt_second_factor

GET /v1/me
PATCH /v1/me
PATCH /v1/me/metadata
POST /v1/me/change_password
POST /v1/me/totp
POST /v1/me/totp/attempt_verification
DELETE /v1/me/totp
POST /v1/me/backup_codes
GET /v1/me/phone_numbers
POST /v1/me/phone_numbers
POST /v1/me/phone_numbers/{phone_number_id}/prepare_verification
POST /v1/me/phone_numbers/{phone_number_id}/attempt_verification
PATCH /v1/me/phone_numbers/{phone_number_id}
GET /v1/me/email_addresses
POST /v1/me/email_addresses
POST /v1/me/email_addresses/{email_id}/prepare_verification
POST /v1/me/email_addresses/{email_id}/attempt_verification

POST /v1/organizations
GET /v1/organizations/{organization_id}
PATCH /v1/organizations/{organization_id}
DELETE /v1/organizations/{organization_id}
GET /v1/organizations/{organization_id}/roles
GET /v1/organizations/{organization_id}/memberships
POST /v1/organizations/{organization_id}/memberships
PATCH /v1/organizations/{organization_id}/memberships/{user_id}
DELETE /v1/organizations/{organization_id}/memberships/{user_id}
GET /v1/organizations/{organization_id}/invitations
GET /v1/organizations/{organization_id}/invitations/pending
POST /v1/organizations/{organization_id}/invitations
POST /v1/organizations/{organization_id}/invitations/{invitation_id}/revoke
GET /v1/me/organization_memberships
GET /v1/me/organization_invitations
POST /v1/me/organization_invitations/{invitation_id}/accept
GET /v1/me/organization_suggestions
POST /v1/me/organization_suggestions/{suggestion_id}/accept
GET /v1/me/organization_creation_defaults
POST /v1/waitlist
""".split("\n")

ENDPOINTS = [line for line in ENDPOINTS if line]
