import { defineTexts } from '../../lib/texts/texts.ts'

export const oneTapTexts = defineTexts('oneTap', {
  errors: {
    INVALID_ID_TOKEN: 'Google did not confirm who you are. Sign in another way.',
    GOOGLE_SUB_DOESNT_MATCH: 'An account with this email address exists. Sign in as usual, then link Google.',
    SIGNUP_DISABLED: 'There is no account for you here, and this site is not accepting new ones.',
    EMAIL_NOT_AVAILABLE_IN_TOKEN: 'Google did not tell us your email address.',
    COULD_NOT_CREATE_USER: 'We could not create your account. Try again in a moment.',
  } as Record<string, string>,
})
