import { defineTexts } from '../../lib/texts/texts.ts'

export const guestTexts = defineTexts(
  {
    way: 'Continue as a guest',
    bannerLabel: 'Guest account',
    banner: 'You are signed in as a guest. When you sign out, everything is deleted unless you create an account.',
    keep: 'Create an account',
    haveOne: 'I have an account',
  },
  {
    way: 'Als Gast fortfahren',
    bannerLabel: 'Gastkonto',
    banner: 'Du bist als Gast angemeldet. Mit der Abmeldung geht alles verloren, wenn du kein Konto anlegst.',
    keep: 'Konto anlegen',
    haveOne: 'Ich habe ein Konto',
  },
)
