import { defineTexts } from '../../lib/texts/texts.ts'

export const socialTexts = defineTexts(
  {
    continueWith: (name: string) => `Continue with ${name}`,
    all: (count: number) => `Show ${count} more`,
    providers: 'Other services to sign in with',
  },
  {
    continueWith: (name) => `Weiter mit ${name}`,
    all: (count) => `${count} weitere anzeigen`,
    providers: 'Andere Dienste zum Anmelden',
  },
)
