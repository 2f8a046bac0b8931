import { defineTexts } from '../../lib/texts/texts.ts'

export const socialTexts = defineTexts(
  {
    continueWith: (name: string) => `Continue with ${name}`,
    all: (count: number) => `Show ${count} more`,
    providers: 'Other services to sign in with',
    withoutEmail: (names: string) =>
      `${names}: gives us no email address, so it only works once you have linked it to an account.`,
  },
  {
    continueWith: (name) => `Weiter mit ${name}`,
    all: (count) => `${count} weitere anzeigen`,
    providers: 'Andere Dienste zum Anmelden',
    withoutEmail: (names) =>
      `${names}: nennt uns keine E-Mail-Adresse und funktioniert erst, wenn du es mit einem Konto verknüpft hast.`,
  },
)
