import { defineTexts } from '../../lib/texts/texts.ts'

/** Words of the screen between the password and the account. */
export const challengeTexts = defineTexts(
  {
    title: 'Two-factor authentication',
    intro: {
      totp: 'Open your authenticator app and type the code that it shows for this account.',
      otp: (email: string, lifetime: string) => `We send a code to ${email}. It is valid for ${lifetime}.`,
      'backup-code': 'Type one of the backup codes that you saved when you set this up. Each works once.',
    },
    code: 'Code',
    backupCode: 'Backup code',
    submit: 'Continue',
    send: 'Send me a code',
    sendAgain: 'Send a new code',
    trust: (days: number) => `Trust this device for ${days} days`,
    trustHint: 'You will not be asked here again. Not on a computer that others use.',
    otherWay: 'Another way',
    switchTo: {
      totp: 'Use the authenticator app',
      otp: 'Get a code by email',
      'backup-code': 'Use a backup code',
    },
    timeLeft: (time: string) => `You have ${time} left to sign in.`,
    goneTitle: 'Sign in again',
    gone: 'Too much time has passed since your password. Begin again.',
    back: 'Back to sign in',
    errors: {
      INVALID_CODE: 'This code is wrong. Type the one that is shown now.',
      INVALID_BACKUP_CODE: 'This is not one of your unused backup codes.',
      OTP_HAS_EXPIRED: 'There is no valid code any more. Have a new one sent.',
      TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Too many wrong codes. Have a new one sent.',
      INVALID_TWO_FACTOR_COOKIE: 'Your sign-in has ended. Begin again.',
    } as Record<string, string>,
  },
  {
    title: 'Zweiter Faktor',
    intro: {
      totp: 'Öffne deine Authenticator-App und gib den Code ein, den sie für dieses Konto zeigt.',
      otp: (email, lifetime) => `Wir schicken einen Code an ${email}. Er gilt ${lifetime}.`,
      'backup-code': 'Gib einen der Ersatzcodes ein, die du beim Einrichten gesichert hast. Jeder gilt einmal.',
    },
    code: 'Code',
    backupCode: 'Ersatzcode',
    submit: 'Weiter',
    send: 'Code schicken',
    sendAgain: 'Neuen Code schicken',
    trust: (days) => `Diesem Gerät ${days} Tage lang vertrauen`,
    trustHint: 'Hier wirst du nicht noch einmal gefragt. Nicht auf einem Computer, den andere benutzen.',
    otherWay: 'Auf anderem Weg',
    switchTo: {
      totp: 'Authenticator-App verwenden',
      otp: 'Code per E-Mail',
      'backup-code': 'Ersatzcode verwenden',
    },
    timeLeft: (time) => `Du hast noch ${time} für die Anmeldung.`,
    goneTitle: 'Neu anmelden',
    gone: 'Seit deinem Passwort ist zu viel Zeit vergangen. Fang noch einmal an.',
    back: 'Zurück zur Anmeldung',
    errors: {
      INVALID_CODE: 'Dieser Code stimmt nicht. Gib den ein, der jetzt gezeigt wird.',
      INVALID_BACKUP_CODE: 'Das ist keiner deiner unbenutzten Ersatzcodes.',
      OTP_HAS_EXPIRED: 'Es gibt keinen gültigen Code mehr. Lass dir einen neuen schicken.',
      TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Zu viele falsche Codes. Lass dir einen neuen schicken.',
      INVALID_TWO_FACTOR_COOKIE: 'Deine Anmeldung ist beendet. Fang noch einmal an.',
    },
  },
)

/** Words of the account page and the wizard. */
export const twoFactorTexts = defineTexts(
  {
    title: 'Two-factor authentication',
    intro: 'A code from your phone, beside your password. Whoever learns the password still stays outside.',
    off: 'Two-factor authentication is off.',
    on: 'Two-factor authentication is on.',
    setUp: 'Set up',
    needsPassword: 'It protects signing in with a password, and your account has none yet.',
    choosePassword: 'Choose a password',
    password: 'Your password',
    steps: (now: number, all: number) => `Step ${now} of ${all}`,
    confirmTitle: 'Confirm that it is you',
    scanTitle: 'Add the account to your app',
    scanIntro: 'Scan the picture with an authenticator app, such as the one of your phone or your password manager.',
    qr: 'QR code with the key for your authenticator app',
    byHand: 'Cannot scan? Type this key instead',
    copyKey: 'Copy key',
    codeLabel: 'Code that the app shows',
    codesTitle: 'Save your backup codes',
    codesIntro: 'When you have lost your phone, each of these lets you in once. They are not shown again.',
    codesFile: (app: string, email: string) => `${app} backup codes for ${email}`,
    codesOnce: 'Each code works once.',
    download: 'Download',
    print: 'Print',
    saved: 'I saved them',
    turnedOn: 'Two-factor authentication is on.',
    backupTitle: 'Backup codes',
    codesLeft: (count: number) =>
      count === 1 ? 'One unused code is left.' : count === 0 ? 'No code is left.' : `${count} unused codes are left.`,
    regenerate: 'New codes',
    regenerateTitle: 'Replace the backup codes?',
    regenerateWhat: 'The codes that you have now stop working.',
    devicesTitle: 'Trusted devices',
    devices: (count: number) =>
      count === 0
        ? 'Every device is asked for the second factor.'
        : count === 1
          ? 'One device is not asked for the second factor.'
          : `${count} devices are not asked for the second factor.`,
    forget: 'Forget them',
    forgetTitle: 'Ask on every device again?',
    forgetWhat: 'Each device has to give the second factor at its next sign-in.',
    forgotten: 'Every device is asked again.',
    appTitle: 'Authenticator app',
    app: 'With a new phone, set it up again. The old one works until the new one has shown its first code.',
    replaceApp: 'Set up another app',
    disableTitle: 'Turn it off',
    disableWhat: 'Your password alone will open your account. Key, backup codes and trusted devices are forgotten.',
    disable: 'Turn off two-factor authentication',
    disabled: 'Two-factor authentication is off.',
    errors: {
      INVALID_CODE: 'This code is wrong. Type the one that is shown now.',
      NO_PASSWORD_CREDENTIAL_FOUND: 'Your account has no password yet.',
      OWN_SESSION_REQUIRED: 'Only the person themselves can change this.',
    } as Record<string, string>,
  },
  {
    title: 'Zweiter Faktor',
    intro: 'Ein Code von deinem Telefon, neben dem Passwort. Wer das Passwort erfährt, bleibt trotzdem draußen.',
    off: 'Der zweite Faktor ist ausgeschaltet.',
    on: 'Der zweite Faktor ist eingeschaltet.',
    setUp: 'Einrichten',
    needsPassword: 'Er schützt die Anmeldung mit einem Passwort, und dein Konto hat noch keines.',
    choosePassword: 'Passwort wählen',
    password: 'Dein Passwort',
    steps: (now, all) => `Schritt ${now} von ${all}`,
    confirmTitle: 'Bestätige, dass du es bist',
    scanTitle: 'Füge das Konto deiner App hinzu',
    scanIntro: 'Scanne das Bild mit einer Authenticator-App, etwa der deines Telefons oder deines Passwortmanagers.',
    qr: 'QR-Code mit dem Schlüssel für deine Authenticator-App',
    byHand: 'Du kannst nicht scannen? Tippe diesen Schlüssel ab',
    copyKey: 'Schlüssel kopieren',
    codeLabel: 'Code, den die App zeigt',
    codesTitle: 'Sichere deine Ersatzcodes',
    codesIntro:
      'Wenn dein Telefon weg ist, lässt dich jeder davon einmal hinein. Sie werden nicht noch einmal gezeigt.',
    codesFile: (app, email) => `${app}: Ersatzcodes für ${email}`,
    codesOnce: 'Jeder Code gilt einmal.',
    download: 'Herunterladen',
    print: 'Drucken',
    saved: 'Ich habe sie gesichert',
    turnedOn: 'Der zweite Faktor ist eingeschaltet.',
    backupTitle: 'Ersatzcodes',
    codesLeft: (count) =>
      count === 1
        ? 'Ein unbenutzter Code ist übrig.'
        : count === 0
          ? 'Kein Code ist übrig.'
          : `${count} unbenutzte Codes sind übrig.`,
    regenerate: 'Neue Codes',
    regenerateTitle: 'Ersatzcodes ersetzen?',
    regenerateWhat: 'Die Codes, die du jetzt hast, gelten dann nicht mehr.',
    devicesTitle: 'Vertraute Geräte',
    devices: (count) =>
      count === 0
        ? 'Jedes Gerät wird nach dem zweiten Faktor gefragt.'
        : count === 1
          ? 'Ein Gerät wird nicht nach dem zweiten Faktor gefragt.'
          : `${count} Geräte werden nicht nach dem zweiten Faktor gefragt.`,
    forget: 'Vergessen',
    forgetTitle: 'Auf jedem Gerät wieder fragen?',
    forgetWhat: 'Jedes Gerät muss bei der nächsten Anmeldung den zweiten Faktor zeigen.',
    forgotten: 'Jedes Gerät wird wieder gefragt.',
    appTitle: 'Authenticator-App',
    app: 'Mit einem neuen Telefon richtest du sie neu ein. Das alte gilt, bis das neue seinen ersten Code gezeigt hat.',
    replaceApp: 'Andere App einrichten',
    disableTitle: 'Ausschalten',
    disableWhat:
      'Dann öffnet das Passwort allein dein Konto. Schlüssel, Ersatzcodes und vertraute Geräte verschwinden.',
    disable: 'Zweiten Faktor ausschalten',
    disabled: 'Der zweite Faktor ist ausgeschaltet.',
    errors: {
      INVALID_CODE: 'Dieser Code stimmt nicht. Gib den ein, der jetzt gezeigt wird.',
      NO_PASSWORD_CREDENTIAL_FOUND: 'Dein Konto hat noch kein Passwort.',
      OWN_SESSION_REQUIRED: 'Das kann nur die Person selbst ändern.',
    },
  },
)
