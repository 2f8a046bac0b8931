import { defineTexts } from '../../lib/texts/texts.ts'

export const emailOtpTexts = defineTexts(
  {
    way: 'Email me a sign-in code',
    title: 'Sign in with a code',
    intro: 'We’ll email you a code. Enter it here to sign in.',
    continueTo: (host: string) => `to continue to ${host}`,
    email: 'Email',
    send: 'Send code',
    codeTitle: 'Enter the code',
    sentTo: (email: string, lifetime: string) =>
      `If ${email} can be used to sign in, we’ve sent a code to it. It is valid for ${lifetime}.`,
    otherAddress: 'Use another address',
    back: 'Back to sign in',
    errors: { USER_NOT_FOUND: 'There is no account for this address, and this site is not accepting new ones.' },

    verifyTitle: 'Confirm your email address',
    verifyIntro: (email: string) => `We’ll send a code to ${email}. Enter it here to confirm the address.`,
    verifyIntroUnknown: 'We’ll send a code to your address. Enter it here to confirm it.',
    verifySent: (email: string, lifetime: string) => `We sent a code to ${email}. It is valid for ${lifetime}.`,
    verified: 'Your email address is confirmed.',
    verifyErrors: { USER_NOT_FOUND: 'There is no account with this address.' },
  },
  {
    way: 'Code per E-Mail',
    title: 'Mit einem Code anmelden',
    intro: 'Wir schicken dir einen Code per E-Mail. Gib ihn hier ein, um dich anzumelden.',
    continueTo: (host) => `um fortzufahren zu ${host}`,
    email: 'E-Mail',
    send: 'Code schicken',
    codeTitle: 'Gib den Code ein',
    sentTo: (email, lifetime) =>
      `Falls du dich mit ${email} anmelden kannst, haben wir dir einen Code geschickt. Er gilt ${lifetime}.`,
    otherAddress: 'Andere Adresse verwenden',
    back: 'Zurück zur Anmeldung',
    errors: { USER_NOT_FOUND: 'Zu dieser Adresse gibt es kein Konto, und neue werden zurzeit nicht angelegt.' },

    verifyTitle: 'Bestätige deine E-Mail-Adresse',
    verifyIntro: (email) => `Wir schicken einen Code an ${email}. Gib ihn hier ein, um die Adresse zu bestätigen.`,
    verifyIntroUnknown: 'Wir schicken einen Code an deine Adresse. Gib ihn hier ein, um sie zu bestätigen.',
    verifySent: (email, lifetime) => `Wir haben einen Code an ${email} geschickt. Er gilt ${lifetime}.`,
    verified: 'Deine E-Mail-Adresse ist bestätigt.',
    verifyErrors: { USER_NOT_FOUND: 'Zu dieser Adresse gibt es kein Konto.' },
  },
)
