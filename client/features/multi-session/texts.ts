import { defineTexts } from '../../lib/texts/texts.ts'

export const multiSessionTexts = defineTexts('multiSession', {
  accounts: 'Other accounts',
  switchTo: 'Switch to {name}',
  switching: 'Switching to {name} …',
  add: 'Add another account',
  full: 'You can be signed in to {most} accounts at a time. Sign out of one to add another.',
  signOutOne: 'Sign out {name}',
  onlyThis: 'Sign out of this account only',
  signedOut: '{name} has been signed out here.',
  errors: {
    INVALID_SESSION_TOKEN: 'This account has been signed out here. Add it again.',
  } as Record<string, string>,
})
