"""Every journey in a real browser, twice: with the mouse and no scripts, and by keyboard alone.

A journey is written once, as what a person does and where it leads. By keyboard the page is reloaded after every
refusal, left and returned to, which must not send anything again.
"""

import json
import re

import pytest
from people import PASSWORD, Keyboard, Mouse, Person, code_of, has_focus

NEW_PASSWORD = "another-way-in-42"


def a_wrong_password_then_the_right_one(person):
    person.sign_in("ada", "not this one").is_at("sign-in").is_refused("form_password_incorrect")
    person.fill(identifier="ada@example.com", password=PASSWORD).send().is_at("account")


def an_empty_form(person):
    person.open("/sign-in").send().is_at("sign-in").is_refused("required")


def a_password_left_empty_and_a_code_instead(person):
    person.sign_in("ada", None).is_at("sign-in").follow("methods").is_at("sign-in-methods")
    person.send("email_code").is_at("sign-in-code")
    person.fill(code="12").send().is_refused("code_length")
    person.code_from("ada@example.com").send().is_at("account")


def another_person_than_at_first(person):
    person.sign_in("cody", None).is_at("sign-in-code")
    person.hand.press("button[form=restart]")
    person.is_at("sign-in").sign_in("ada").is_at("account")


def an_authenticator_app(person):
    person.sign_in("mia").is_at("sign-in-second-factor")
    person.code_of_app("mia").send().is_at("account")


def a_text_message_instead_of_the_app(person):
    person.sign_in("mia").follow("methods").is_at("sign-in-second-factor-methods")
    person.send("phone_code").is_at("sign-in-second-factor").code_from("+12015550123").send().is_at("account")


def a_backup_code(person):
    person.sign_in("mia").follow("backup-code").is_at("sign-in-second-factor-backup-code")
    person.fill(code="mia-0000-9999").send().is_refused("form_code_incorrect")
    person.fill(code="MIA 0000 0003").send().is_at("account")


def a_second_factor_by_email(person):
    person.sign_in("ezra").fill(code="000 000").send().is_refused("form_code_incorrect")
    person.code_from("ezra@example.com").send().is_at("account")


def a_new_device(person):
    person.sign_in("nia").is_at("sign-in-device").code_from("nia@example.com").send().is_at("account")


def a_locked_account(person):
    person.sign_in("lou").is_at("locked").is_told("user_locked").hand.press("main a.button")
    person.is_at("sign-in")


def a_banned_account(person):
    person.sign_in("bann").is_at("blocked").is_told("user_banned")


def a_compromised_password(person):
    person.sign_in("cora").is_at("sign-in-methods").send("email_code").is_at("sign-in-code")
    person.code_from("cora@example.com").send().is_at("tasks-reset-password")
    person.fill(password="short").send().is_refused("form_password_length_too_short")
    person.fill(password=NEW_PASSWORD).send().is_at("account")


def a_leaked_password(person):
    person.sign_in("pia").is_at("sign-in-methods").send("reset_password_email_code")
    person.is_at("forgot-password-code").code_from("pia@example.com").send().is_at("forgot-password-new")
    person.fill(password=NEW_PASSWORD).send().is_at("account")


def a_forgotten_password(person):
    person.open("/sign-in").follow("forgot-password").is_at("forgot-password")
    person.fill(identifier="nobody@example.com").send().is_refused("form_identifier_not_found")
    person.fill(identifier="ada@example.com").send().is_at("forgot-password-code")
    person.code_from("ada@example.com").send().is_at("forgot-password-new")
    person.fill(password=NEW_PASSWORD).send().is_at("account").is_told("password_changed")


def a_phone_number(person):
    person.open("/sign-in").fill(identifier="+1 (201) 555-0142", password=PASSWORD).send().is_at("account")


def a_link_by_email(person):
    person.sign_in("link", None).is_at("sign-in-link").send().is_told("still_waiting")
    person.open(person.message("link@example.com")["link"]).is_at("sign-in-link").send()
    person.is_at("account")


def an_organisation_of_ones_own(person):
    person.sign_in("olga").is_at("tasks-choose-organization").send().is_refused("required")
    person.fill(organization_name="Quay Street").send().is_at("account")


def an_organisation_to_choose(person):
    person.sign_in("otto").is_at("tasks-choose-organization").send().is_refused("none_chosen")
    person.tick("organization_id").send().is_at("account")


def an_authenticator_app_to_set_up(person):
    person.sign_in("tess").is_at("tasks-setup-mfa").send("authenticator")
    person.fill(code=code_of(person.text("#setup-key"))).send().is_at("tasks-setup-mfa")
    assert person.page.locator("#backup-codes li").count() == 10
    person.send().is_at("account")


def a_phone_to_set_up(person):
    person.sign_in("tess").send("phone").fill(phone_number="0201").send().is_refused("form_param_format_invalid")
    person.fill(phone_number="+12015550187").send().code_from("+12015550187").send()
    person.is_at("tasks-setup-mfa").send().is_at("account")


def signing_in_with_an_organisations_page(person):
    person.sign_in("sven").is_at("continue")
    person.hand.press("main a.button")
    person.hand.press("button[value=approve]")
    person.is_at("continue").send().is_at("account")


def signing_up(person):
    person.open("/sign-in").follow("sign-up").is_at("sign-up")
    person.fill(email_address="ada@example.com", password=NEW_PASSWORD).send().is_refused("form_identifier_exists")
    person.fill(email_address="new@example.com", password=NEW_PASSWORD).send().is_at("sign-up-verify")
    person.follow("change").is_at("sign-up").fill(password=NEW_PASSWORD).send().is_at("sign-up-verify")
    person.code_from("new@example.com").send().is_at("account")


def signing_out(person):
    person.sign_in("ada").is_at("account").open("/sign-out").is_at("sign-out").send().is_at("sign-in")
    person.is_told("signed_out")


def ending_other_sessions(person):
    for _ in range(2):
        person.sign_in("ada").is_at("account").page.context.clear_cookies()
    person.sign_in("ada").is_at("account").follow("sessions").is_at("account")
    assert person.page.locator(".sessions li").count() == 3
    has_focus(person.page, "#sessions-heading")
    person.send("end-session-2").is_told("session_ended")
    assert person.page.locator(".sessions li").count() == 2, "it stays unfolded"
    has_focus(person.page, "#notices", "what was done is read first")
    person.send("end-others").is_told("other_sessions_ended").follow("sessions")
    assert person.page.locator(".sessions li").count() == 1


def the_identifier_first(person):
    person.in_an_instance(identifier_first=True).sign_in("ada", None).is_at("sign-in-password")
    person.fill(password="not this one").send().is_refused("form_password_incorrect")
    person.fill(password=PASSWORD).send().is_at("account")


def a_compromised_password_without_another_way(person):
    person.open("/sign-in").fill(identifier="kurt", password=PASSWORD).send().is_at("tasks-reset-password")
    person.fill(password=NEW_PASSWORD).send().is_at("account")


def three_tasks_in_a_row(person):
    person.sign_in("trix").is_at("tasks-reset-password").fill(password=NEW_PASSWORD).send()
    person.is_at("tasks-choose-organization").fill(organization_name="Trix").send().is_at("tasks-setup-mfa")
    person.send("authenticator").fill(code=code_of(person.text("#setup-key"))).send().is_at("tasks-setup-mfa")
    person.send().is_at("account")


def a_service_that_is_away(person):
    person.fails_next("/v1/client/sign_ins").sign_in("ada").is_at("sign-in").is_refused("service_unavailable")
    person.fill(identifier="ada@example.com", password=PASSWORD).send().is_at("account")


def a_link_that_was_used(person):
    person.sign_in("link", None).is_at("sign-in-link")
    link = person.message("link@example.com")["link"]
    person.open(link).send().is_at("account").open("/sign-out").send().is_at("sign-in")
    person.open(link).is_at("sign-in-link").is_told("link_used").hand.press("main a.button")
    person.is_at("sign-in")


def a_waiting_list(person):
    person.in_an_instance(sign_up_mode="waitlist").open("/sign-in").follow("sign-up").is_at("sign-up")
    person.fill(email_address="noor@").send().is_refused("form_param_format_invalid")
    person.fill(email_address="noor@example.com").send().is_told("waitlist_joined").hand.press("main a.button")
    person.is_at("sign-in")


def an_invitation_to_what_is_closed(person):
    person.in_an_instance(sign_up_mode="restricted", legal_consent=True).open("/sign-up").is_at("sign-up")
    body = {"email_address": "noor@example.com", "redirect_url": f"{person.origin}/sign-up"}
    person.program.backstage("POST", "invitations", json.dumps(body), person.world)
    person.open(person.message("noor@example.com", "invitation")["link"]).is_at("sign-up").send()
    person.is_at("sign-up-continue").fill(password=NEW_PASSWORD).send().is_refused("required")
    person.fill(password=NEW_PASSWORD).tick("legal_accepted")
    person.send().is_at("account")


def a_link_to_a_new_address(person):
    person.in_an_instance(email_link=True).open("/sign-up")
    person.fill(email_address="new@example.com", password=NEW_PASSWORD).send().is_at("sign-up-link")
    person.open(person.message("new@example.com")["link"]).is_at("sign-up-link").send().is_at("account")


def a_choice_of_methods_over_entra(person):
    person.sign_in("mia").is_at("sign-in-second-factor-methods").send("phone_code").is_at("sign-in-second-factor")
    person.fill(code="00000000").send().is_refused("invalid_grant/invalid_oob_value")
    person.code_from("+12015550123").send().is_at("account")


def permissions_that_were_declined(person):
    person.sign_in("dina").is_at("permissions").send().is_at("account")


def a_method_to_register(person):
    person.sign_in("rita").is_at("sign-in-enrolment").tick("method").send().is_at("sign-in-enrolment")
    person.code_from("rita@example.com").send().is_at("account")


def a_forgotten_password_over_entra(person):
    person.open("/forgot-password").fill(identifier="ada@example.com").send().is_at("forgot-password-code")
    person.code_from("ada@example.com").send().is_at("forgot-password-new")
    person.fill(password=NEW_PASSWORD).send().is_at("forgot-password-waiting").send().is_at("account")


def a_token_for_other_permissions(person):
    person.sign_in("ada").is_at("account").fill(scopes="api://orders/Read", claims="no JSON").send("get-token")
    person.is_at("account").is_refused("claims_format_invalid")
    person.fill(scopes="api://orders/Read", claims="").send("get-token").is_at("account").is_told("token_renewed")


def a_session_that_has_to_prove_more(person):
    person.sign_in("iris").is_at("account").send("get-token").is_at("sign-in").is_told("sign_in_again")
    person.fill(password=PASSWORD).send().is_at("account").send("get-token").is_told("token_renewed")


def a_policy_that_no_browser_meets(person):
    person.sign_in("pola").is_at("blocked").hand.press("main a.button")
    person.is_at("sign-in")


def signing_up_over_entra(person):
    person.open("/sign-up").fill(email_address="new@example.com", password=NEW_PASSWORD).send()
    person.is_at("sign-up-verify").code_from("new@example.com").send().is_at("account")


CLERK = [
    a_wrong_password_then_the_right_one, an_empty_form, a_password_left_empty_and_a_code_instead,
    another_person_than_at_first, an_authenticator_app, a_text_message_instead_of_the_app, a_backup_code,
    a_second_factor_by_email, a_new_device, a_locked_account, a_banned_account, a_compromised_password,
    a_leaked_password, a_forgotten_password, a_phone_number, a_link_by_email, an_organisation_of_ones_own,
    an_organisation_to_choose, an_authenticator_app_to_set_up, a_phone_to_set_up,
    signing_in_with_an_organisations_page, signing_up, signing_out, ending_other_sessions, the_identifier_first,
    a_compromised_password_without_another_way, three_tasks_in_a_row, a_service_that_is_away, a_link_that_was_used,
    a_waiting_list, an_invitation_to_what_is_closed, a_link_to_a_new_address,
]
ENTRA = [
    a_choice_of_methods_over_entra, permissions_that_were_declined, a_method_to_register,
    a_session_that_has_to_prove_more, a_policy_that_no_browser_meets, a_forgotten_password_over_entra, a_token_for_other_permissions, signing_up_over_entra,
]
JOURNEYS = [("program", journey) for journey in CLERK] + [("entra_program", journey) for journey in ENTRA]


def told(value):
    return value.__name__.replace("_", " ").lower() if callable(value) else ""


@pytest.mark.parametrize("hand", [Mouse, Keyboard], ids=told)
@pytest.mark.parametrize(("api", "journey"), JOURNEYS, ids=told)
def test_journey(visit, request, api, journey, hand):
    program = request.getfixturevalue(api)
    world = re.sub("[^a-z]", "-", f"{hand.__name__}-{journey.__name__}".lower())[:40].strip("-")
    tab = visit(world, program, java_script_enabled=hand.java_script_enabled)
    journey(Person(tab, hand, program, world))
