import type { InEachLanguage } from '../../kit/language.ts'

/** What a code means to a person, and what they can do; codes in lower case, see `normalCode`. */
const english = {
  access_denied: 'You canceled at the other service. You can try again, or sign in another way.',
  account_already_linked_to_different_user: 'That account is already linked to someone else here.',
  account_not_linked:
    'An account with this email address already exists. Sign in to it as usual, then link the other service.',
  banned: 'This account has been banned. Contact support if you think this is a mistake.',
  client_disabled: 'The application that sent you here is turned off.',
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
  invalid_code: 'The answer of the other service could not be checked.',
  invalid_redirect_uri: 'The application that sent you here wants to go back to an address that it has not registered.',
  invalid_request: 'The application that sent you here asked in a way we do not understand.',
  invalid_request_uri: 'This request has expired. Go back to the application and start again.',
  invalid_scope: 'The application that sent you here asked for something that does not exist.',
  invalid_token: 'This link isn’t valid, or it has been used already. Request a new one.',
  login_required: 'Sign in first, then try again.',
  new_user_signup_disabled: 'There is no account for you here, and this site is not accepting new ones.',
  no_callback_url: 'We do not know where to send you after signing in.',
  no_code: 'The other service did not send the proof we need.',
  oauth_code_missing: 'The other service did not send the proof we need.',
  oauth_code_verification_failed: 'The answer of the other service could not be checked.',
  oauth_provider_not_found: 'This way to sign in is turned off.',
  oauthproxy_invalid_cookies_or_secret: 'This took too long, or was started in another browser. Start again.',
  please_restart_the_process: 'This took too long, or was started in another browser. Start again.',
  server_error: 'Something went wrong on our side. Try again in a moment.',
  signup_disabled: 'There is no account for you here, and this site is not accepting new ones.',
  state_mismatch: 'This took too long, or was started in another browser. Start again.',
  state_not_found: 'This took too long, or was started in another browser. Start again.',
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
}

export type KnownCode = keyof typeof english

const german: Record<KnownCode, string> = {
  access_denied: 'Du hast beim anderen Dienst abgebrochen. Versuche es noch einmal oder melde dich anders an.',
  account_already_linked_to_different_user: 'Dieses Konto ist hier schon mit jemand anderem verknüpft.',
  account_not_linked:
    'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melde dich wie gewohnt an und verknüpfe dann den anderen Dienst.',
  banned: 'Dieses Konto ist gesperrt. Wende dich an den Support, wenn du das für einen Irrtum hältst.',
  client_disabled: 'Die Anwendung, die dich hergeschickt hat, ist ausgeschaltet.',
  email_doesnt_match: 'Der andere Dienst hat für dich eine andere E-Mail-Adresse.',
  email_is_missing: 'Der andere Dienst hat uns deine E-Mail-Adresse nicht genannt.',
  email_not_found: 'Der andere Dienst hat uns deine E-Mail-Adresse nicht genannt.',
  expired_token: 'Dieser Link ist abgelaufen. Fordere einen neuen an.',
  failed_to_create_session: 'Die Anmeldung hat nicht geklappt.',
  failed_to_create_user: 'Wir konnten dein Konto nicht anlegen.',
  failed_to_get_user_info: 'Melde dich an und öffne den Link dann noch einmal.',
  internal_server_error: 'Bei uns ist etwas schiefgegangen. Versuche es gleich noch einmal.',
  invalid_callback_request: 'Wir haben die Antwort des anderen Dienstes nicht verstanden.',
  invalid_client: 'Die Anwendung, die dich hergeschickt hat, kennen wir nicht.',
  invalid_code: 'Die Antwort des anderen Dienstes ließ sich nicht prüfen.',
  invalid_redirect_uri:
    'Die Anwendung, die dich hergeschickt hat, will zu einer Adresse zurück, die sie nicht angemeldet hat.',
  invalid_request: 'Die Anwendung, die dich hergeschickt hat, hat auf eine Art gefragt, die wir nicht verstehen.',
  invalid_request_uri: 'Diese Anfrage ist abgelaufen. Geh zurück zur Anwendung und beginne noch einmal.',
  invalid_scope: 'Die Anwendung, die dich hergeschickt hat, verlangt etwas, das es nicht gibt.',
  invalid_token: 'Dieser Link ist ungültig oder wurde schon verwendet. Fordere einen neuen an.',
  login_required: 'Melde dich an und versuche es dann noch einmal.',
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
  server_error: 'Bei uns ist etwas schiefgegangen. Versuche es gleich noch einmal.',
  signup_disabled: 'Du hast hier noch kein Konto, und neue werden zurzeit nicht angelegt.',
  state_mismatch: 'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
  state_not_found: 'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
  temporarily_unavailable: 'Wir können gerade nicht antworten. Versuche es gleich noch einmal.',
  token_expired: 'Dieser Link ist abgelaufen. Fordere einen neuen an.',
  too_many_requests: 'Das war zu oft in kurzer Zeit. Versuche es gleich noch einmal.',
  unable_to_create_session: 'Die Anmeldung hat nicht geklappt.',
  unable_to_create_user: 'Wir konnten dein Konto nicht anlegen.',
  unable_to_get_user_info: 'Der andere Dienst hat uns nicht gesagt, wer du bist.',
  unable_to_link_account: 'Der andere Dienst konnte nicht mit deinem Konto verknüpft werden.',
  unauthorized: 'Melde dich an und öffne den Link dann noch einmal.',
  unauthorized_client: 'Die Anwendung, die dich hergeschickt hat, darf das nicht verlangen.',
  unsupported_response_type: 'Die Anwendung, die dich hergeschickt hat, verlangt etwas, das es nicht gibt.',
  user_info_is_missing: 'Der andere Dienst hat uns nicht gesagt, wer du bist.',
  user_not_found: 'Das Konto, zu dem das gehört, gibt es nicht mehr.',
}

interface ErrorWords {
  title: string
  sentences: Record<KnownCode, string>
  unknown: string
  back: string
  code: string
  terms: string
  privacy: string
  support: string
}

export const errorWords: InEachLanguage<ErrorWords> = {
  en: {
    title: 'Authentication Error',
    sentences: english,
    unknown: 'Something went wrong. Start again. If it keeps happening, contact support.',
    back: 'Return to Application',
    code: 'Error Code',
    terms: 'Terms',
    privacy: 'Privacy',
    support: 'Support',
  },
  de: {
    title: 'Das hat nicht geklappt',
    sentences: german,
    unknown: 'Etwas ist schiefgegangen. Beginne noch einmal. Wenn es wieder passiert, wende dich an den Support.',
    back: 'Zurück zur Anwendung',
    code: 'Fehlercode',
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
    support: 'Support',
  },
}

/** A code as the sentences are keyed: `email_doesn't_match` and `EXPIRED_TOKEN` have one spelling. */
export const normalCode = (code: string): string => code.toLowerCase().replaceAll("'", '')
