import { defineTexts } from '../../lib/texts/texts.ts'

export const passwordTexts = defineTexts('emailPassword', {
  addAddress: 'Add an email address',
  resetTitle: 'Choose a new password',
  resetIntro: 'You will be signed out on all your devices.',
  resetSubmit: 'Save password',
  resetDone: 'Your password has been changed. Sign in with the new one.',
  deadTitle: 'This link is no longer valid',
  deadIntro: 'It has expired or has already been used. Request a new one.',
  deadAction: 'Request a new link',
  change: 'Change password',
  setFirst: 'Set a password',
  changeShort: 'Change',
  setShort: 'Set',
  current: 'Current password',
  signOutOthers: 'Sign out on all other devices',
  signOutOthersHint: 'Do this if someone else may know the old password.',
  changed: 'Your password has been changed.',
  same: 'This is your current password.',
  none: 'We’ll send a link to {email}. Open it to choose a password.',
  sendLink: 'Send the link',
  addressFirst: 'A password is set with a link that we email to you, and your account has no email address yet.',
})
