import { defineTexts } from '../../lib/texts/texts.ts'

export const accessIdentityTexts = defineTexts('accessIdentity', {
  errors: {
    ACCESS_TOKEN_MISSING:
      'This page was not opened through Cloudflare Access. Reload the page, or sign in another way.',
    ACCESS_TOKEN_INVALID:
      'Your sign-in at Cloudflare Access was not accepted. Reload the page, or sign in another way.',
    ACCESS_SERVICE_TOKEN: 'Cloudflare Access let you in as a service. Services cannot sign in here.',
    ACCESS_WITHOUT_EMAIL: 'Cloudflare Access did not give us your email address. Sign in another way.',
    ACCOUNT_NOT_LINKED: 'An account with this email address exists. Sign in another way.',
    SIGNUP_DISABLED: 'There is no account for you here, and this site is not accepting new ones.',
    UNABLE_TO_CREATE_USER: 'We could not create your account. Try again in a moment.',
  } as Record<string, string>,
})
