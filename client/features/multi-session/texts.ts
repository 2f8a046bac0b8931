import { defineTexts } from '../../lib/texts/texts.ts'

export const multiSessionTexts = defineTexts(
  {
    accounts: 'Other accounts',
    switchTo: (name: string) => `Switch to ${name}`,
    switching: (name: string) => `Switching to ${name} …`,
    add: 'Add another account',
    full: (most: number) => `You can be signed in to ${most} accounts at a time. Sign out of one to add another.`,
    signOutOne: (name: string) => `Sign out ${name}`,
    onlyThis: 'Sign out of this account only',
    signedOut: (name: string) => `${name} has been signed out here.`,
    errors: {
      INVALID_SESSION_TOKEN: 'This account has been signed out here. Add it again.',
    } as Record<string, string>,
  },
  {
    accounts: 'Andere Konten',
    switchTo: (name) => `Zu ${name} wechseln`,
    switching: (name) => `Wechsel zu ${name} …`,
    add: 'Weiteres Konto hinzufügen',
    full: (most) => `Mehr als ${most} Konten gleichzeitig gehen nicht. Melde eines ab, um ein weiteres hinzuzufügen.`,
    signOutOne: (name) => `${name} abmelden`,
    onlyThis: 'Nur dieses Konto abmelden',
    signedOut: (name) => `${name} ist hier abgemeldet.`,
    errors: {
      INVALID_SESSION_TOKEN: 'Dieses Konto ist hier abgemeldet worden. Füge es neu hinzu.',
    },
  },
)
