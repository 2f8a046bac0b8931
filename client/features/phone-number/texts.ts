import { defineTexts } from '../../lib/texts/texts.ts'

export const phoneTexts = defineTexts('phoneNumber', {
  way: 'Text me a sign-in code',
  title: 'Sign in with your phone',
  intro: 'We’ll text you a code. Enter it here to sign in.',
  number: 'Phone number',
  country: 'Country',
  numberRequired: 'Enter your phone number.',
  numberInvalid: 'Enter a complete number of this country, or one that begins with +.',
  sentTo: 'We sent a text message to {number}. The code is valid for {lifetime}.',
  other: 'Use another number',

  phoneIntro: 'You can sign in with it, and reset your password.',
  none: 'You have not added a phone number yet.',
  confirm: 'Confirm with a code',
  add: 'Add a number',
  change: 'Change number',
  newNumber: 'New phone number',
  saved: 'Your phone number is now {number}.',
  remove: 'Remove number',
  removeTitle: 'Remove {number}?',
  removeText: 'You can no longer sign in with it.',
  removed: 'The number has been removed.',
  errors: {
    USER_NOT_FOUND: 'There is no account with this number.',
    PHONE_NUMBER_NEEDS_A_CODE: 'To change the number, enter the code we sent to it.',
  } as Record<string, string>,
})
