#include "CAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Every file of templates/ and Public/, first as an array and then in the table: a test fails if a file has been
// forgotten, and the build if one is missing. This file is recompiled when any of them changes.

static const unsigned char layout[] = {
#embed "../../templates/layout.mustache"
};

static const unsigned char page[] = {
#embed "../../templates/page.mustache"
};

static const unsigned char stands[] = {
#embed "../../templates/stands.json"
};

static const unsigned char ways[] = {
#embed "../../templates/ways.json"
};

static const unsigned char backstage_bar[] = {
#embed "../../templates/backstage/bar.mustache"
};

static const unsigned char backstage_chart[] = {
#embed "../../templates/backstage/chart.mustache"
};

static const unsigned char backstage_errors[] = {
#embed "../../templates/backstage/errors.mustache"
};

static const unsigned char backstage_gallery[] = {
#embed "../../templates/backstage/gallery.mustache"
};

static const unsigned char backstage_call[] = {
#embed "../../templates/backstage/call.mustache"
};

static const unsigned char backstage_group[] = {
#embed "../../templates/backstage/group.mustache"
};

static const unsigned char backstage_inbox[] = {
#embed "../../templates/backstage/inbox.mustache"
};

static const unsigned char backstage_index[] = {
#embed "../../templates/backstage/index.mustache"
};

static const unsigned char backstage_item[] = {
#embed "../../templates/backstage/item.mustache"
};

static const unsigned char backstage_layout[] = {
#embed "../../templates/backstage/layout.mustache"
};

static const unsigned char backstage_message[] = {
#embed "../../templates/backstage/message.mustache"
};

static const unsigned char backstage_page[] = {
#embed "../../templates/backstage/page.mustache"
};

static const unsigned char backstage_question[] = {
#embed "../../templates/backstage/question.mustache"
};

static const unsigned char backstage_state[] = {
#embed "../../templates/backstage/state.mustache"
};

static const unsigned char backstage_states[] = {
#embed "../../templates/backstage/states.mustache"
};

static const unsigned char backstage_stories[] = {
#embed "../../templates/backstage/stories.mustache"
};

static const unsigned char backstage_request[] = {
#embed "../../templates/backstage/request.mustache"
};

static const unsigned char backstage_traces[] = {
#embed "../../templates/backstage/traces.mustache"
};

static const unsigned char backstage_user[] = {
#embed "../../templates/backstage/user.mustache"
};

static const unsigned char backstage_users[] = {
#embed "../../templates/backstage/users.mustache"
};

static const unsigned char backstage_visit[] = {
#embed "../../templates/backstage/visit.mustache"
};

static const unsigned char brands_alder_brand_json[] = {
#embed "../../templates/brands/alder/brand.json"
};

static const unsigned char brands_alder_icon_svg[] = {
#embed "../../templates/brands/alder/icon.svg"
};

static const unsigned char brands_alder_logo_dark_svg[] = {
#embed "../../templates/brands/alder/logo-dark.svg"
};

static const unsigned char brands_alder_logo_svg[] = {
#embed "../../templates/brands/alder/logo.svg"
};

static const unsigned char brands_harbour_brand_json[] = {
#embed "../../templates/brands/harbour/brand.json"
};

static const unsigned char brands_harbour_icon_svg[] = {
#embed "../../templates/brands/harbour/icon.svg"
};

static const unsigned char brands_harbour_logo_dark_svg[] = {
#embed "../../templates/brands/harbour/logo-dark.svg"
};

static const unsigned char brands_harbour_logo_svg[] = {
#embed "../../templates/brands/harbour/logo.svg"
};

static const unsigned char brands_zap_background_svg[] = {
#embed "../../templates/brands/zap/background.svg"
};

static const unsigned char brands_zap_brand_json[] = {
#embed "../../templates/brands/zap/brand.json"
};

static const unsigned char brands_zap_icon_svg[] = {
#embed "../../templates/brands/zap/icon.svg"
};

static const unsigned char brands_zap_logo_dark_svg[] = {
#embed "../../templates/brands/zap/logo-dark.svg"
};

static const unsigned char brands_zap_logo_svg[] = {
#embed "../../templates/brands/zap/logo.svg"
};

static const unsigned char messages_ar[] = {
#embed "../../templates/messages/ar.json"
};

static const unsigned char messages_de[] = {
#embed "../../templates/messages/de.json"
};

static const unsigned char messages_en[] = {
#embed "../../templates/messages/en.json"
};

static const unsigned char messages_es[] = {
#embed "../../templates/messages/es.json"
};

static const unsigned char messages_fr[] = {
#embed "../../templates/messages/fr.json"
};

static const unsigned char messages_ja[] = {
#embed "../../templates/messages/ja.json"
};

static const unsigned char messages_pt[] = {
#embed "../../templates/messages/pt.json"
};

static const unsigned char partials_action[] = {
#embed "../../templates/partials/action.mustache"
};

static const unsigned char partials_authenticator[] = {
#embed "../../templates/partials/authenticator.mustache"
};

static const unsigned char partials_backup_codes[] = {
#embed "../../templates/partials/backup-codes.mustache"
};

static const unsigned char partials_banner[] = {
#embed "../../templates/partials/banner.mustache"
};

static const unsigned char partials_demo_bar[] = {
#embed "../../templates/partials/demo-bar.mustache"
};

static const unsigned char partials_details[] = {
#embed "../../templates/partials/details.mustache"
};

static const unsigned char partials_error_summary[] = {
#embed "../../templates/partials/error-summary.mustache"
};

static const unsigned char partials_explanation[] = {
#embed "../../templates/partials/explanation.mustache"
};

static const unsigned char partials_field[] = {
#embed "../../templates/partials/field.mustache"
};

static const unsigned char partials_form[] = {
#embed "../../templates/partials/form.mustache"
};

static const unsigned char partials_icon[] = {
#embed "../../templates/partials/icon.mustache"
};

static const unsigned char partials_identity_form[] = {
#embed "../../templates/partials/identity-form.mustache"
};

static const unsigned char partials_identity[] = {
#embed "../../templates/partials/identity.mustache"
};

static const unsigned char partials_link[] = {
#embed "../../templates/partials/link.mustache"
};

static const unsigned char partials_links[] = {
#embed "../../templates/partials/links.mustache"
};

static const unsigned char partials_logo[] = {
#embed "../../templates/partials/logo.mustache"
};

static const unsigned char partials_message[] = {
#embed "../../templates/partials/message.mustache"
};

static const unsigned char partials_notices[] = {
#embed "../../templates/partials/notices.mustache"
};

static const unsigned char partials_outcome[] = {
#embed "../../templates/partials/outcome.mustache"
};

static const unsigned char partials_prose[] = {
#embed "../../templates/partials/prose.mustache"
};

static const unsigned char partials_script[] = {
#embed "../../templates/partials/script.mustache"
};

static const unsigned char partials_secondary_forms[] = {
#embed "../../templates/partials/secondary-forms.mustache"
};

static const unsigned char partials_sessions[] = {
#embed "../../templates/partials/sessions.mustache"
};

static const unsigned char partials_story[] = {
#embed "../../templates/partials/story.mustache"
};

static const unsigned char partials_support[] = {
#embed "../../templates/partials/support.mustache"
};

static const unsigned char stories_a_banned_password_json[] = {
#embed "../../templates/stories/a-banned-password.json"
};

static const unsigned char stories_a_leaked_password_json[] = {
#embed "../../templates/stories/a-leaked-password.json"
};

static const unsigned char stories_a_new_phone_json[] = {
#embed "../../templates/stories/a-new-phone.json"
};

static const unsigned char stories_a_typo_json[] = {
#embed "../../templates/stories/a-typo.json"
};

static const unsigned char stories_ada_json[] = {
#embed "../../templates/stories/ada.json"
};

static const unsigned char stories_bann_json[] = {
#embed "../../templates/stories/bann.json"
};

static const unsigned char stories_by_invitation_only_json[] = {
#embed "../../templates/stories/by-invitation-only.json"
};

static const unsigned char stories_cody_json[] = {
#embed "../../templates/stories/cody.json"
};

static const unsigned char stories_cora_entra_json[] = {
#embed "../../templates/stories/cora-entra.json"
};

static const unsigned char stories_cora_json[] = {
#embed "../../templates/stories/cora.json"
};

static const unsigned char stories_dina_json[] = {
#embed "../../templates/stories/dina.json"
};

static const unsigned char stories_ezra_json[] = {
#embed "../../templates/stories/ezra.json"
};

static const unsigned char stories_forgotten_entra_json[] = {
#embed "../../templates/stories/forgotten-entra.json"
};

static const unsigned char stories_forgotten_json[] = {
#embed "../../templates/stories/forgotten.json"
};

static const unsigned char stories_iris_json[] = {
#embed "../../templates/stories/iris.json"
};

static const unsigned char stories_kurt_json[] = {
#embed "../../templates/stories/kurt.json"
};

static const unsigned char stories_lena_json[] = {
#embed "../../templates/stories/lena.json"
};

static const unsigned char stories_link_json[] = {
#embed "../../templates/stories/link.json"
};

static const unsigned char stories_locked_out_on_a_friday_json[] = {
#embed "../../templates/stories/locked-out-on-a-friday.json"
};

static const unsigned char stories_lou_entra_json[] = {
#embed "../../templates/stories/lou-entra.json"
};

static const unsigned char stories_lou_json[] = {
#embed "../../templates/stories/lou.json"
};

static const unsigned char stories_mia_entra_json[] = {
#embed "../../templates/stories/mia-entra.json"
};

static const unsigned char stories_mia_json[] = {
#embed "../../templates/stories/mia.json"
};

static const unsigned char stories_nia_json[] = {
#embed "../../templates/stories/nia.json"
};

static const unsigned char stories_offline_on_a_train_entra_json[] = {
#embed "../../templates/stories/offline-on-a-train-entra.json"
};

static const unsigned char stories_offline_on_a_train_json[] = {
#embed "../../templates/stories/offline-on-a-train.json"
};

static const unsigned char stories_olga_json[] = {
#embed "../../templates/stories/olga.json"
};

static const unsigned char stories_otto_json[] = {
#embed "../../templates/stories/otto.json"
};

static const unsigned char stories_phil_json[] = {
#embed "../../templates/stories/phil.json"
};

static const unsigned char stories_pia_entra_json[] = {
#embed "../../templates/stories/pia-entra.json"
};

static const unsigned char stories_pia_json[] = {
#embed "../../templates/stories/pia.json"
};

static const unsigned char stories_pola_json[] = {
#embed "../../templates/stories/pola.json"
};

static const unsigned char stories_rita_json[] = {
#embed "../../templates/stories/rita.json"
};

static const unsigned char stories_sven_json[] = {
#embed "../../templates/stories/sven.json"
};

static const unsigned char stories_tess_json[] = {
#embed "../../templates/stories/tess.json"
};

static const unsigned char stories_the_code_of_yesterday_json[] = {
#embed "../../templates/stories/the-code-of-yesterday.json"
};

static const unsigned char stories_the_code_that_never_came_json[] = {
#embed "../../templates/stories/the-code-that-never-came.json"
};

static const unsigned char stories_the_link_on_her_phone_json[] = {
#embed "../../templates/stories/the-link-on-her-phone.json"
};

static const unsigned char stories_the_phone_she_lost_json[] = {
#embed "../../templates/stories/the-phone-she-lost.json"
};

static const unsigned char stories_the_waiting_list_json[] = {
#embed "../../templates/stories/the-waiting-list.json"
};

static const unsigned char stories_trix_json[] = {
#embed "../../templates/stories/trix.json"
};

static const unsigned char stories_who_are_you_json[] = {
#embed "../../templates/stories/who-are-you.json"
};

static const unsigned char public_apple_touch_icon_png[] = {
#embed "../../Public/apple-touch-icon.png"
};

static const unsigned char public_backstage_brand_js[] = {
#embed "../../Public/backstage-brand.js"
};

static const unsigned char public_backstage_css[] = {
#embed "../../Public/backstage.css"
};

static const unsigned char public_backstage_js[] = {
#embed "../../Public/backstage.js"
};

static const unsigned char public_favicon_ico[] = {
#embed "../../Public/favicon.ico"
};

static const unsigned char public_favicon_svg[] = {
#embed "../../Public/favicon.svg"
};

static const unsigned char public_reload_js[] = {
#embed "../../Public/reload.js"
};

static const unsigned char public_vestibule_css[] = {
#embed "../../Public/vestibule.css"
};

static const unsigned char public_vestibule_js[] = {
#embed "../../Public/vestibule.js"
};

#define BUILT_IN(path, bytes) {path, bytes, sizeof bytes}

static const VestibuleFile files[] = {
  BUILT_IN("templates/layout.mustache", layout),
  BUILT_IN("templates/page.mustache", page),
  BUILT_IN("templates/stands.json", stands),
  BUILT_IN("templates/ways.json", ways),
  BUILT_IN("templates/backstage/bar.mustache", backstage_bar),
  BUILT_IN("templates/backstage/chart.mustache", backstage_chart),
  BUILT_IN("templates/backstage/errors.mustache", backstage_errors),
  BUILT_IN("templates/backstage/gallery.mustache", backstage_gallery),
  BUILT_IN("templates/backstage/call.mustache", backstage_call),
  BUILT_IN("templates/backstage/group.mustache", backstage_group),
  BUILT_IN("templates/backstage/inbox.mustache", backstage_inbox),
  BUILT_IN("templates/backstage/index.mustache", backstage_index),
  BUILT_IN("templates/backstage/item.mustache", backstage_item),
  BUILT_IN("templates/backstage/layout.mustache", backstage_layout),
  BUILT_IN("templates/backstage/message.mustache", backstage_message),
  BUILT_IN("templates/backstage/page.mustache", backstage_page),
  BUILT_IN("templates/backstage/question.mustache", backstage_question),
  BUILT_IN("templates/backstage/state.mustache", backstage_state),
  BUILT_IN("templates/backstage/states.mustache", backstage_states),
  BUILT_IN("templates/backstage/stories.mustache", backstage_stories),
  BUILT_IN("templates/backstage/request.mustache", backstage_request),
  BUILT_IN("templates/backstage/traces.mustache", backstage_traces),
  BUILT_IN("templates/backstage/user.mustache", backstage_user),
  BUILT_IN("templates/backstage/users.mustache", backstage_users),
  BUILT_IN("templates/backstage/visit.mustache", backstage_visit),
  BUILT_IN("templates/brands/alder/brand.json", brands_alder_brand_json),
  BUILT_IN("templates/brands/alder/icon.svg", brands_alder_icon_svg),
  BUILT_IN("templates/brands/alder/logo-dark.svg", brands_alder_logo_dark_svg),
  BUILT_IN("templates/brands/alder/logo.svg", brands_alder_logo_svg),
  BUILT_IN("templates/brands/harbour/brand.json", brands_harbour_brand_json),
  BUILT_IN("templates/brands/harbour/icon.svg", brands_harbour_icon_svg),
  BUILT_IN("templates/brands/harbour/logo-dark.svg", brands_harbour_logo_dark_svg),
  BUILT_IN("templates/brands/harbour/logo.svg", brands_harbour_logo_svg),
  BUILT_IN("templates/brands/zap/background.svg", brands_zap_background_svg),
  BUILT_IN("templates/brands/zap/brand.json", brands_zap_brand_json),
  BUILT_IN("templates/brands/zap/icon.svg", brands_zap_icon_svg),
  BUILT_IN("templates/brands/zap/logo-dark.svg", brands_zap_logo_dark_svg),
  BUILT_IN("templates/brands/zap/logo.svg", brands_zap_logo_svg),
  BUILT_IN("templates/messages/ar.json", messages_ar),
  BUILT_IN("templates/messages/de.json", messages_de),
  BUILT_IN("templates/messages/en.json", messages_en),
  BUILT_IN("templates/messages/es.json", messages_es),
  BUILT_IN("templates/messages/fr.json", messages_fr),
  BUILT_IN("templates/messages/ja.json", messages_ja),
  BUILT_IN("templates/messages/pt.json", messages_pt),
  BUILT_IN("templates/partials/action.mustache", partials_action),
  BUILT_IN("templates/partials/authenticator.mustache", partials_authenticator),
  BUILT_IN("templates/partials/backup-codes.mustache", partials_backup_codes),
  BUILT_IN("templates/partials/banner.mustache", partials_banner),
  BUILT_IN("templates/partials/demo-bar.mustache", partials_demo_bar),
  BUILT_IN("templates/partials/details.mustache", partials_details),
  BUILT_IN("templates/partials/error-summary.mustache", partials_error_summary),
  BUILT_IN("templates/partials/explanation.mustache", partials_explanation),
  BUILT_IN("templates/partials/field.mustache", partials_field),
  BUILT_IN("templates/partials/form.mustache", partials_form),
  BUILT_IN("templates/partials/icon.mustache", partials_icon),
  BUILT_IN("templates/partials/identity-form.mustache", partials_identity_form),
  BUILT_IN("templates/partials/identity.mustache", partials_identity),
  BUILT_IN("templates/partials/link.mustache", partials_link),
  BUILT_IN("templates/partials/links.mustache", partials_links),
  BUILT_IN("templates/partials/logo.mustache", partials_logo),
  BUILT_IN("templates/partials/message.mustache", partials_message),
  BUILT_IN("templates/partials/notices.mustache", partials_notices),
  BUILT_IN("templates/partials/outcome.mustache", partials_outcome),
  BUILT_IN("templates/partials/prose.mustache", partials_prose),
  BUILT_IN("templates/partials/script.mustache", partials_script),
  BUILT_IN("templates/partials/secondary-forms.mustache", partials_secondary_forms),
  BUILT_IN("templates/partials/sessions.mustache", partials_sessions),
  BUILT_IN("templates/partials/story.mustache", partials_story),
  BUILT_IN("templates/partials/support.mustache", partials_support),
  BUILT_IN("templates/stories/a-banned-password.json", stories_a_banned_password_json),
  BUILT_IN("templates/stories/a-leaked-password.json", stories_a_leaked_password_json),
  BUILT_IN("templates/stories/a-new-phone.json", stories_a_new_phone_json),
  BUILT_IN("templates/stories/a-typo.json", stories_a_typo_json),
  BUILT_IN("templates/stories/ada.json", stories_ada_json),
  BUILT_IN("templates/stories/bann.json", stories_bann_json),
  BUILT_IN("templates/stories/by-invitation-only.json", stories_by_invitation_only_json),
  BUILT_IN("templates/stories/cody.json", stories_cody_json),
  BUILT_IN("templates/stories/cora-entra.json", stories_cora_entra_json),
  BUILT_IN("templates/stories/cora.json", stories_cora_json),
  BUILT_IN("templates/stories/dina.json", stories_dina_json),
  BUILT_IN("templates/stories/ezra.json", stories_ezra_json),
  BUILT_IN("templates/stories/forgotten-entra.json", stories_forgotten_entra_json),
  BUILT_IN("templates/stories/forgotten.json", stories_forgotten_json),
  BUILT_IN("templates/stories/iris.json", stories_iris_json),
  BUILT_IN("templates/stories/kurt.json", stories_kurt_json),
  BUILT_IN("templates/stories/lena.json", stories_lena_json),
  BUILT_IN("templates/stories/link.json", stories_link_json),
  BUILT_IN("templates/stories/locked-out-on-a-friday.json", stories_locked_out_on_a_friday_json),
  BUILT_IN("templates/stories/lou-entra.json", stories_lou_entra_json),
  BUILT_IN("templates/stories/lou.json", stories_lou_json),
  BUILT_IN("templates/stories/mia-entra.json", stories_mia_entra_json),
  BUILT_IN("templates/stories/mia.json", stories_mia_json),
  BUILT_IN("templates/stories/nia.json", stories_nia_json),
  BUILT_IN("templates/stories/offline-on-a-train-entra.json", stories_offline_on_a_train_entra_json),
  BUILT_IN("templates/stories/offline-on-a-train.json", stories_offline_on_a_train_json),
  BUILT_IN("templates/stories/olga.json", stories_olga_json),
  BUILT_IN("templates/stories/otto.json", stories_otto_json),
  BUILT_IN("templates/stories/phil.json", stories_phil_json),
  BUILT_IN("templates/stories/pia-entra.json", stories_pia_entra_json),
  BUILT_IN("templates/stories/pia.json", stories_pia_json),
  BUILT_IN("templates/stories/pola.json", stories_pola_json),
  BUILT_IN("templates/stories/rita.json", stories_rita_json),
  BUILT_IN("templates/stories/sven.json", stories_sven_json),
  BUILT_IN("templates/stories/tess.json", stories_tess_json),
  BUILT_IN("templates/stories/the-code-of-yesterday.json", stories_the_code_of_yesterday_json),
  BUILT_IN("templates/stories/the-code-that-never-came.json", stories_the_code_that_never_came_json),
  BUILT_IN("templates/stories/the-link-on-her-phone.json", stories_the_link_on_her_phone_json),
  BUILT_IN("templates/stories/the-phone-she-lost.json", stories_the_phone_she_lost_json),
  BUILT_IN("templates/stories/the-waiting-list.json", stories_the_waiting_list_json),
  BUILT_IN("templates/stories/trix.json", stories_trix_json),
  BUILT_IN("templates/stories/who-are-you.json", stories_who_are_you_json),
  BUILT_IN("Public/apple-touch-icon.png", public_apple_touch_icon_png),
  BUILT_IN("Public/backstage-brand.js", public_backstage_brand_js),
  BUILT_IN("Public/backstage.css", public_backstage_css),
  BUILT_IN("Public/backstage.js", public_backstage_js),
  BUILT_IN("Public/favicon.ico", public_favicon_ico),
  BUILT_IN("Public/favicon.svg", public_favicon_svg),
  BUILT_IN("Public/reload.js", public_reload_js),
  BUILT_IN("Public/vestibule.css", public_vestibule_css),
  BUILT_IN("Public/vestibule.js", public_vestibule_js),
};

const VestibuleFile *const vestibule_files = files;
const size_t vestibule_file_count = sizeof files / sizeof *files;
