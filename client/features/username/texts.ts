import { defineTexts } from '../../lib/texts/texts.ts'

export const usernameTexts = defineTexts('username', {
  title: 'Username',
  intro: 'You can sign in with it instead of your email address.',
  hint: '{min} to {max} letters, digits, dots and underscores.',
  free: '{name} is available.',
  taken: 'This username is taken.',
  save: 'Save username',
  saved: 'Your username has been saved.',
  removed: 'Your username has been removed.',
  invalid: 'Use only letters, digits, dots and underscores.',
})

/** The errors that the field of a username shows. */
export const usernameErrors = [
  'USERNAME_IS_TOO_SHORT',
  'USERNAME_IS_TOO_LONG',
  'USERNAME_IS_INVALID',
  'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
]
