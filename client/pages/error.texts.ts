import { defineTexts } from '../lib/texts/texts.ts'

/** The codes with which the server sends a browser to /error (or to any page of ours), in lower case. */
const english = {
  access_denied: 'You canceled at the other service. You can try again, or sign in another way.',
  account_already_linked_to_different_user: 'That account is already linked to someone else here.',
  account_not_linked:
    'An account with this email address already exists. Sign in to it as usual, then link the other service.',
  invalid_request_uri: 'This request has expired. Go back to the application and start again.',
  client_disabled: 'The application that sent you here has been switched off.',
  banned: 'This account has been banned. Contact support if you think this is a mistake.',
  email_doesnt_match: 'The other service has a different email address for you.',
  email_is_missing: 'The other service did not tell us your email address.',
  email_not_found: 'The other service did not tell us your email address.',
  expired_token: 'This link has expired.',
  failed_to_create_session: 'We could not sign you in.',
  failed_to_create_user: 'We could not create your account.',
  internal_server_error: 'Something went wrong on our side.',
  invalid_callback_request: 'We did not understand the other service’s answer.',
  invalid_client: 'We do not know the application that sent you here.',
  invalid_code: 'The other service’s answer could not be verified.',
  invalid_redirect_uri: 'The application that sent you here wants to go back to an address that it has not registered.',
  invalid_scope: 'The application that sent you here asked for something that does not exist.',
  invalid_token: 'This link is no longer valid.',
  new_user_signup_disabled: 'There is no account for you here, and this site is not accepting new ones.',
  no_callback_url: 'We do not know where to send you after signing in.',
  no_code: 'The other service did not send the proof we need.',
  oauth_code_missing: 'The other service did not send the proof we need.',
  oauth_code_verification_failed: 'The other service’s answer could not be verified.',
  oauth_provider_not_found: 'This way to sign in is turned off.',
  oauthproxy_invalid_cookies_or_secret: 'This took too long, or was started in another browser. Start again.',
  please_restart_the_process: 'This took too long, or was started in another browser. Start again.',
  signup_disabled: 'There is no account for you here, and this site is not accepting new ones.',
  state_not_found: 'This took too long, or was started in another browser. Start again.',
  state_mismatch: 'This took too long, or was started in another browser. Start again.',
  temporarily_unavailable: 'The service is not available right now. Try again in a moment.',
  token_expired: 'This link has expired.',
  unable_to_create_session: 'We could not sign you in.',
  unable_to_create_user: 'We could not create your account.',
  unable_to_get_user_info: 'The other service did not tell us who you are.',
  unable_to_link_account: 'The other service could not be linked to your account.',
  unauthorized: 'Sign in first, then open the link again.',
  unsupported_response_type: 'The application that sent you here asked for something that does not exist.',
  user_info_is_missing: 'The other service did not tell us who you are.',
  user_not_found: 'The account this belongs to no longer exists.',
}

const german: Record<keyof typeof english, string> = {
  access_denied: 'Du hast beim anderen Dienst abgebrochen. Versuche es noch einmal oder melde dich anders an.',
  account_already_linked_to_different_user: 'Dieses Konto ist hier schon mit jemand anderem verknüpft.',
  account_not_linked:
    'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melde dich wie gewohnt an und verknüpfe dann den anderen Dienst.',
  invalid_request_uri: 'Diese Anfrage ist abgelaufen. Geh zurück zur Anwendung und beginne noch einmal.',
  client_disabled: 'Die Anwendung, die dich hergeschickt hat, ist abgeschaltet.',
  banned: 'Dieses Konto ist gesperrt. Wende dich an den Support, wenn du das für einen Fehler hältst.',
  email_doesnt_match: 'Der andere Dienst hat für dich eine andere E-Mail-Adresse.',
  email_is_missing: 'Der andere Dienst hat uns deine E-Mail-Adresse nicht genannt.',
  email_not_found: 'Der andere Dienst hat uns deine E-Mail-Adresse nicht genannt.',
  expired_token: 'Dieser Link ist abgelaufen.',
  failed_to_create_session: 'Die Anmeldung hat nicht geklappt.',
  failed_to_create_user: 'Wir konnten dein Konto nicht anlegen.',
  internal_server_error: 'Bei uns ist etwas schiefgegangen.',
  invalid_callback_request: 'Wir haben die Antwort des anderen Dienstes nicht verstanden.',
  invalid_client: 'Die Anwendung, die dich hergeschickt hat, kennen wir nicht.',
  invalid_code: 'Die Antwort des anderen Dienstes ließ sich nicht prüfen.',
  invalid_redirect_uri:
    'Die Anwendung, die dich hergeschickt hat, will zu einer Adresse zurück, die sie nicht angemeldet hat.',
  invalid_scope: 'Die Anwendung, die dich hergeschickt hat, verlangt etwas, das es nicht gibt.',
  invalid_token: 'Dieser Link gilt nicht mehr.',
  new_user_signup_disabled: 'Du hast hier noch kein Konto, und neue werden zurzeit nicht angelegt.',
  no_callback_url: 'Wir wissen nicht, wohin es nach der Anmeldung gehen soll.',
  no_code: 'Der andere Dienst hat ohne den nötigen Nachweis geantwortet.',
  oauth_code_missing: 'Der andere Dienst hat ohne den nötigen Nachweis geantwortet.',
  oauth_code_verification_failed: 'Die Antwort des anderen Dienstes ließ sich nicht prüfen.',
  oauth_provider_not_found: 'Diese Anmeldemöglichkeit ist ausgeschaltet.',
  oauthproxy_invalid_cookies_or_secret:
    'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
  please_restart_the_process:
    'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
  signup_disabled: 'Du hast hier noch kein Konto, und neue werden zurzeit nicht angelegt.',
  state_not_found: 'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
  state_mismatch: 'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
  temporarily_unavailable: 'Der Dienst ist gerade nicht erreichbar. Versuche es gleich noch einmal.',
  token_expired: 'Dieser Link ist abgelaufen.',
  unable_to_create_session: 'Die Anmeldung hat nicht geklappt.',
  unable_to_create_user: 'Wir konnten dein Konto nicht anlegen.',
  unable_to_get_user_info: 'Der andere Dienst hat uns nicht gesagt, wer du bist.',
  unable_to_link_account: 'Der andere Dienst konnte nicht mit deinem Konto verknüpft werden.',
  unauthorized: 'Melde dich an und öffne den Link dann noch einmal.',
  unsupported_response_type: 'Die Anwendung, die dich hergeschickt hat, verlangt etwas, das es nicht gibt.',
  user_info_is_missing: 'Der andere Dienst hat uns nicht gesagt, wer du bist.',
  user_not_found: 'Das Konto, zu dem das gehört, gibt es nicht mehr.',
}

export const errorTexts = defineTexts(
  {
    title: 'That did not work',
    unknown: 'Something went wrong. Start again. If it keeps happening, contact support.',
    signIn: 'Back to sign in',
    toAccount: 'Go to your account',
    sentences: english as Record<string, string>,
  },
  {
    title: 'Das hat nicht geklappt',
    unknown: 'Etwas ist schiefgegangen. Beginne noch einmal. Wenn es wieder passiert, wende dich an den Support.',
    signIn: 'Zurück zur Anmeldung',
    toAccount: 'Zu deinem Konto',
    sentences: german,
  },
)

/** A code as the sentences are keyed: "email_doesn't_match" and "EXPIRED_TOKEN" have one spelling. */
export const normalCode = (code: string): string =>
  code
    .toLowerCase()
    .replaceAll(' ', '_')
    .replace(/[^a-z0-9_]/g, '')
