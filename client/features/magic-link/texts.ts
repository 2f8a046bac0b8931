import { defineTexts } from '../../lib/texts/texts.ts'

export const magicLinkTexts = defineTexts('magicLink', {
  way: 'Email me a sign-in link',
  title: 'Sign in with a link',
  intro: 'We’ll email you a link that signs you in without a password.',
  send: 'Send link',
  inbox: 'We sent a link to {email}. It works once, and is valid for {lifetime}.',
  hint: 'Open it in this browser, and this page continues by itself. On another device, it signs you in there.',
  failedTitle: 'This link does not work',
  signedInTitle: 'You are already signed in',
  signedIn: 'This link has already been used. You are signed in as {person}.',
  failures: {
    INVALID_TOKEN: 'It is incomplete or has already been used. Request a new one.',
    EXPIRED_TOKEN: 'It has expired. Request a new one.',
    DISPOSABLE_EMAIL: 'Temporary addresses are not accepted. Request a link with an address that you will keep.',
    new_user_signup_disabled: 'There is no account for your address, and this site is not accepting new ones.',
    failed_to_create_user: 'We could not create your account. Try again in a moment.',
    failed_to_create_session: 'We could not sign you in. Request a new link.',
    banned: 'This account has been banned. Contact support if you think this is a mistake.',
  } as Record<string, string>,
  errors: { USER_NOT_FOUND: 'There is no account for this address, and this site is not accepting new ones.' },
})
