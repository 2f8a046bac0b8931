import { defineTexts } from '../../lib/texts/texts.ts'

export const addressTexts = defineTexts(
  {
    title: 'What’s your email address?',
    intro: (provider: string) => `${provider} did not tell us one. We’ll send you a code to confirm it.`,
    email: 'Email',
    send: 'Send code',
    codeTitle: 'Check your inbox',
    sentTo: (email: string, lifetime: string) => `We sent a code to ${email}. It is valid for ${lifetime}.`,
    otherAddress: 'Use another address',
    goneTitle: 'Start again',
    gone: 'This took too long, or was started in another browser.',
    startAgain: 'Back to sign in',
    errors: {
      NO_SIGN_IN_IS_WAITING: 'This took too long, or was started in another browser. Start again.',
      SIGNUP_DISABLED: 'There is no account for you here, and this site is not accepting new ones.',
      UNABLE_TO_CREATE_USER: 'We could not create your account.',
    } as Record<string, string>,
  },
  {
    title: 'Wie lautet deine E-Mail-Adresse?',
    intro: (provider) => `${provider} hat uns keine genannt. Wir schicken dir einen Code, um sie zu bestätigen.`,
    email: 'E-Mail',
    send: 'Code schicken',
    codeTitle: 'Sieh in deinem Postfach nach',
    sentTo: (email, lifetime) => `Wir haben einen Code an ${email} geschickt. Er gilt ${lifetime}.`,
    otherAddress: 'Andere Adresse verwenden',
    goneTitle: 'Beginne noch einmal',
    gone: 'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen.',
    startAgain: 'Zurück zur Anmeldung',
    errors: {
      NO_SIGN_IN_IS_WAITING:
        'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne noch einmal.',
      SIGNUP_DISABLED: 'Du hast hier noch kein Konto, und neue werden zurzeit nicht angelegt.',
      UNABLE_TO_CREATE_USER: 'Wir konnten dein Konto nicht anlegen.',
    },
  },
)
