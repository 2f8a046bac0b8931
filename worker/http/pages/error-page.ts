import { html } from 'hono/html'
import type { Settings } from '../../identity/settings.ts'

/** What a code means to a person, and what they can do. */
const sentences: Record<string, string> = {
  token_expired: 'This link has expired. Ask for a new one.',
  invalid_token: 'This link is not valid, or it has been used already. Ask for a new one.',
  INVALID_TOKEN: 'This link is not valid, or it has been used already. Ask for a new one.',
  EXPIRED_TOKEN: 'This link has expired. Ask for a new one.',
  user_not_found: 'There is no account for this link.',
  unauthorized: 'Sign in with the account that this link belongs to, then open it again.',
  state_not_found: 'The sign-in was not started here, or has been finished already. Please start again.',
  please_restart_the_process: 'The sign-in took too long, or was started in another browser. Please start again.',
  invalid_callback_request: 'The answer of the provider could not be read. Please start again.',
  no_code: 'The provider did not say who you are. Please start again.',
  invalid_code: 'The provider did not accept the sign-in. Please start again.',
  oauth_provider_not_found: 'This way of signing in is not available.',
  unable_to_get_user_info: 'The provider did not say who you are. Please try again later.',
  email_not_found: 'The provider did not tell us your email address, which we need.',
  account_not_linked: 'There is an account with your address already. Sign in to it, then link this provider there.',
  account_already_linked_to_different_user: 'This account is linked to somebody else here.',
  unable_to_link_account: 'The account could not be linked.',
  signup_disabled: 'New accounts cannot be created this way.',
  user_info_is_missing: 'The provider did not say who you are. Please try again later.',
  email_is_missing: 'The provider did not tell us your email address, which we need.',
  "email_doesn't_match": 'The provider knows you under another email address than this account.',
  oAuth_code_missing: 'The provider did not say who you are. Please start again.',
  oauth_code_verification_failed: 'The provider did not accept the sign-in. Please start again.',
  unable_to_create_user: 'Your account could not be created.',
  unable_to_create_session: 'You could not be signed in. Please start again.',
  no_callback_url: 'We do not know where to send you after the sign-in. Please start again.',
  OAuthProxy_Invalid_cookies_or_secret:
    'The sign-in took too long, or was started in another browser. Please start again.',
  access_denied: 'You did not allow the sign-in.',
  invalid_client: 'The application that sent you here is not known.',
  client_disabled: 'The application that sent you here has been switched off.',
  unsupported_response_type: 'The application that sent you here asked in a way that is not supported.',
  invalid_redirect_uri: 'The application that sent you here named an address that is not its own.',
  invalid_request_uri: 'This request has expired. Go back to the application and start again.',
  banned: 'You have been banned from this application. Contact support if you believe that this is an error.',
  internal_server_error: 'Something went wrong on our side. Please try again later.',
}

/** Anything that is no plain code is somebody's attempt to make this page say something. */
const plainCode = /^[A-Za-z0-9_']{1,64}$/

/** The page that says what went wrong; it works without JavaScript. */
export function errorPage({ appName }: Settings, error: string | undefined): string {
  const code = error !== undefined && plainCode.test(error) ? error : 'Unknown'
  const sentence = Object.hasOwn(sentences, code)
    ? sentences[code]
    : 'Something did not work. Please try again, or contact the application if it happens again.'
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Authentication Error</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif;
        background: light-dark(#f7f7f5, #161615); color: light-dark(#1c1c1a, #ededea); }
      main { max-width: 26rem; padding: 2rem 1.5rem; }
      h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
      p { margin: 0 0 1rem; }
      a { color: inherit; font-weight: 600; }
      small { color: light-dark(#62625d, #a3a39c); }
    </style>
  </head>
  <body>
    <main>
      <h1>Authentication Error</h1>
      <p>${sentence}</p>
      <p><a href="/">Return to Application</a></p>
      <p><small>${appName} · Error Code: <code>${code}</code></small></p>
    </main>
  </body>
</html>`)
}
