import { defineTexts, type TextsOf } from '../lib/texts/define.ts'

export const signInTexts = defineTexts('signIn', {
  title: 'Sign in to {name}',
  toContinueTo: 'to continue to {host}',
  ended: 'Your session has ended. Sign in again to continue.',
  email: 'Email',
  identifiers: { username: 'username', phoneNumber: 'phone number' },
  noScript: 'JavaScript is off in your browser. Turn it on to sign in with an address, a password or a passkey.',
  next: 'Continue',
  change: 'Change',
  password: 'Password',
  forgot: 'Forgot password?',
  rememberMe: 'Stay signed in',
  submit: 'Sign in',
  orDivider: 'or',
  moreWays: 'Other ways to sign in',
  newHere: 'New here?',
  signUp: 'Create an account',
  already: 'You are already signed in',
  signedInAs: 'as {person}',
  toAccount: 'Go to your account',
  other: 'Use another account',
})

/** "Email, username or phone number". */
export function identifierLabel(
  { email, identifiers }: TextsOf<typeof signInTexts.english>,
  accepted: readonly (keyof typeof identifiers)[],
  language: string,
): string {
  const names = [email, ...accepted.map((name) => identifiers[name])]
  // British English has no comma before "or".
  return new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'disjunction' }).format(names)
}
