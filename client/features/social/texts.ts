import { defineTexts } from '../../lib/texts/texts.ts'

export const socialTexts = defineTexts(
  {
    continueWith: (name: string) => `Continue with ${name}`,
    all: (count: number) => `Show ${count} more`,
    providers: 'Other services to sign in with',
    errors: {
      PROVIDER_NOT_FOUND: 'This way to sign in is not switched on.',
      INVALID_OAUTH_CONFIGURATION:
        'This service cannot be reached at the moment. Try again later, or sign in another way.',
    } as Record<string, string>,
  },
  {
    continueWith: (name) => `Weiter mit ${name}`,
    all: (count) => `${count} weitere anzeigen`,
    providers: 'Andere Dienste zum Anmelden',
    errors: {
      PROVIDER_NOT_FOUND: 'Dieser Weg zur Anmeldung ist ausgeschaltet.',
      INVALID_OAUTH_CONFIGURATION:
        'Dieser Dienst ist gerade nicht erreichbar. Versuche es später oder melde dich anders an.',
    },
  },
)
