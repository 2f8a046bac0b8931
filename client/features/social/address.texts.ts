import { defineTexts } from '../../lib/texts/texts.ts'

export const addressTexts = defineTexts('socialAddress', {
  title: 'What’s your email address?',
  intro: '{provider} did not tell us one. We’ll send you a code to confirm it.',
  goneTitle: 'Start again',
  gone: 'This took too long, or was started in another browser.',
  errors: {
    NO_SIGN_IN_IS_WAITING: 'This took too long, or was started in another browser. Start again.',
    SIGNUP_DISABLED: 'There is no account for you here, and this site is not accepting new ones.',
    UNABLE_TO_CREATE_USER: 'We could not create your account.',
  } as Record<string, string>,
})
