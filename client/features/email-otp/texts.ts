import { defineTexts } from '../../lib/texts/texts.ts'

export const emailOtpTexts = defineTexts(
  {
    way: 'Email me a sign-in code',
    title: 'Sign in with a code',
    intro: 'We send a code to your address. Type it here, and you are signed in.',
    continueTo: (host: string) => `to continue to ${host}`,
    email: 'Email',
    send: 'Send code',
    codeTitle: 'Enter the code',
    sentTo: (email: string, lifetime: string) =>
      `If ${email} can sign in here, a code is on its way. It is valid for ${lifetime}.`,
    otherAddress: 'Use another address',
    back: 'Back to sign in',
    errors: { USER_NOT_FOUND: 'There is no account for this address, and new ones are not taken.' },

    verifyTitle: 'Confirm your email address',
    verifyIntro: (email: string) => `We send a code to ${email}. Type it here to confirm the address.`,
    verifyIntroUnknown: 'We send a code to your address. Type it here to confirm it.',
    verifySent: (email: string, lifetime: string) => `A code is on its way to ${email}. It is valid for ${lifetime}.`,
    verified: 'Your email address is confirmed.',
    verifyErrors: { USER_NOT_FOUND: 'There is no account with this address.' },
  },
  {
    way: 'Code per E-Mail',
    title: 'Mit einem Code anmelden',
    intro: 'Wir schicken einen Code an deine Adresse. Gib ihn hier ein, und du bist angemeldet.',
    continueTo: (host) => `um zu ${host} zu gelangen`,
    email: 'E-Mail',
    send: 'Code schicken',
    codeTitle: 'Gib den Code ein',
    sentTo: (email, lifetime) =>
      `Wenn man sich mit ${email} hier anmelden kann, ist ein Code unterwegs. Er gilt ${lifetime}.`,
    otherAddress: 'Andere Adresse verwenden',
    back: 'Zurück zur Anmeldung',
    errors: { USER_NOT_FOUND: 'Zu dieser Adresse gibt es kein Konto, und neue werden nicht angenommen.' },

    verifyTitle: 'Bestätige deine E-Mail-Adresse',
    verifyIntro: (email) => `Wir schicken einen Code an ${email}. Gib ihn hier ein, um die Adresse zu bestätigen.`,
    verifyIntroUnknown: 'Wir schicken einen Code an deine Adresse. Gib ihn hier ein, um sie zu bestätigen.',
    verifySent: (email, lifetime) => `Ein Code an ${email} ist unterwegs. Er gilt ${lifetime}.`,
    verified: 'Deine E-Mail-Adresse ist bestätigt.',
    verifyErrors: { USER_NOT_FOUND: 'Zu dieser Adresse gibt es kein Konto.' },
  },
)
