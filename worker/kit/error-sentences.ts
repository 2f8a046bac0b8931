import { defineTexts } from './texts.ts'

/** The meaning of error codes for users and the next step, by normalized code. */
export const errorSentences = defineTexts<Record<string, string>>('page/errorSentences', {
  account_deactivated_by_directory: 'Your organization has deactivated this account. Contact its administrator.',
  access_denied: 'You canceled at the other service. You can try again, or sign in another way.',
  account_already_linked_to_different_user: 'That account is already linked to someone else here.',
  account_not_linked:
    'An account with this email address already exists. Sign in to it as usual, then link the other service.',
  banned: 'This account has been banned. Contact support if you think this is a mistake.',
  client_disabled: 'The application that sent you here is turned off.',
  disposable_email: 'Temporary email addresses are not accepted here. Use one that you will keep.',
  email_doesnt_match: 'The other service has a different email address for you.',
  email_is_missing: 'The other service did not tell us your email address.',
  email_not_found: 'The other service did not tell us your email address.',
  expired_token: 'This link has expired. Request a new one.',
  failed_to_create_session: 'We could not sign you in.',
  failed_to_create_user: 'We could not create your account.',
  failed_to_get_user_info: 'Sign in first, then open the link again.',
  internal_server_error: 'Something went wrong on our side. Try again in a moment.',
  invalid_callback_request: 'We did not understand the answer of the other service.',
  invalid_client: 'The application that sent you here is not known to us.',
  invalid_authorization_details: 'The application that sent you here asked in a way we do not understand.',
  invalid_code: 'The answer of the other service could not be checked.',
  invalid_redirect_uri: 'The application that sent you here wants to go back to an address that it has not registered.',
  invalid_request: 'The application that sent you here asked in a way we do not understand.',
  invalid_request_object: 'The application that sent you here asked in a way we do not understand.',
  invalid_request_uri: 'This request has expired. Go back to the application and start again.',
  invalid_scope: 'The application that sent you here asked for something that does not exist.',
  invalid_target: 'The application that sent you here asked for access to a service that we do not know.',
  invalid_token: 'This link isn’t valid, or it has been used already. Request a new one.',
  login_required: 'Sign in first, then try again.',
  new_user_signup_disabled: 'There is no account for you here, and this site is not accepting new ones.',
  no_callback_url: 'We do not know where to send you after signing in.',
  no_code: 'The other service did not send the proof we need.',
  oauth_code_missing: 'The other service did not send the proof we need.',
  oauth_code_verification_failed: 'The answer of the other service could not be checked.',
  oauth_provider_not_found: 'This way to sign in is turned off.',
  oauthproxy_invalid_cookies_or_secret: 'This took too long, or was started in another browser. Start again.',
  organization_requires_second_factor:
    'Your organization requires a second factor, and your account has none. Contact the administrator of your organization.',
  please_restart_the_process: 'This took too long, or was started in another browser. Start again.',
  registration_not_supported: 'The application that sent you here asked in a way we do not understand.',
  request_not_supported: 'The application that sent you here asked in a way we do not understand.',
  request_uri_not_supported: 'The application that sent you here asked in a way we do not understand.',
  saml_algorithm:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_assertion_used: 'This sign-in was used already. Start again.',
  saml_audience:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_encrypted:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_expired: 'The answer of your organization’s sign-in has expired. Start again.',
  saml_invalid_document:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_issuer:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_no_subject:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_recipient:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_signature:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  saml_status:
    'Your organization’s sign-in refused this. Try again, or contact the administrator of your organization.',
  saml_unsolicited: 'Start the sign-in on our sign-in page.',
  saml_wrong_request: 'This took too long, or was started in another browser. Start again.',
  server_error: 'Something went wrong on our side. Try again in a moment.',
  sign_in_method_not_allowed: 'Your organization does not allow this way to sign in. Sign in another way.',
  signup_disabled: 'There is no account for you here, and this site is not accepting new ones.',
  single_sign_on_required: 'Your organization requires its own sign-in. Use single sign-on.',
  sso_account_not_allowed: 'This account cannot sign in through this organization. Sign in another way.',
  sso_account_of_another_organization:
    'The account with your email address belongs to another organization. Sign in to it as usual.',
  sso_address_outside_domains:
    'Your email address is not in a domain of this organization. Contact the administrator of your organization.',
  sso_claims_not_allowed:
    'This account is not one of your organization. Sign in with the account that your organization gave you.',
  sso_connection_not_active:
    'Your organization’s sign-in is turned off. Contact the administrator of your organization.',
  sso_connection_not_found: 'Your organization’s sign-in is not available here. Sign in another way.',
  sso_invalid_response:
    'The answer of your organization’s sign-in could not be checked. Try again, or contact the administrator of your organization.',
  sso_no_address:
    'Your organization’s sign-in did not send an email address. Contact the administrator of your organization.',
  sso_not_a_member: 'You are not a member of this organization. Ask its administrator for an invitation.',
  sso_organization_is_full: 'This organization has no place for another member. Contact its administrator.',
  state_mismatch: 'This took too long, or was started in another browser. Start again.',
  state_not_found: 'This took too long, or was started in another browser. Start again.',
  step_up_failed: 'The service did not confirm that it is you. Try again, or confirm it another way.',
  temporarily_unavailable: 'We can’t answer right now. Try again in a moment.',
  token_expired: 'This link has expired. Request a new one.',
  too_many_requests: 'That was too often in a short time. Try again in a moment.',
  unable_to_create_session: 'We could not sign you in.',
  unable_to_create_user: 'We could not create your account.',
  unable_to_get_user_info: 'The other service did not tell us who you are.',
  unable_to_link_account: 'The other service could not be linked to your account.',
  unauthorized: 'Sign in first, then open the link again.',
  unauthorized_client: 'The application that sent you here may not ask for this.',
  unsupported_response_type: 'The application that sent you here asked for something that does not exist.',
  user_info_is_missing: 'The other service did not tell us who you are.',
  user_not_found: 'The account this belongs to no longer exists.',
  /** For all other codes. */
  unknown: 'Something went wrong. Start again. If it keeps happening, contact support.',
})

/** The key of a code. `email_doesn't_match`, `EXPIRED_TOKEN` and `account not linked` get the same form. */
export const normalCode = (code: string): string =>
  code
    .toLowerCase()
    .replaceAll(' ', '_')
    .replace(/[^a-z0-9_]/g, '')

/** The sentence for the code of an error page (`?error=`). @param sentences errorSentences in a language */
export function errorSentence(code: string, sentences: Readonly<Record<string, string>>): string {
  const key = normalCode(code)
  return (Object.hasOwn(sentences, key) && sentences[key]) || sentences.unknown!
}
