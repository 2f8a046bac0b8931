import { defineTexts } from '../../lib/texts/texts.ts'

export const guestTexts = defineTexts(
  {
    way: 'Continue as a guest',
    bannerLabel: 'Guest account',
    banner: 'You are here as a guest. What you do is lost when you sign out, unless you make it an account.',
    keep: 'Keep my account',
    haveOne: 'I have an account',
  },
  {
    way: 'Als Gast fortfahren',
    bannerLabel: 'Gastkonto',
    banner: 'Du bist als Gast hier. Was du tust, geht mit dem Abmelden verloren, wenn du kein Konto daraus machst.',
    keep: 'Konto behalten',
    haveOne: 'Anmelden',
  },
)
