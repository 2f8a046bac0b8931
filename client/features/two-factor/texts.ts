import { defineTexts } from '../../lib/texts/texts.ts'

/** Words of the screen between the password and the account. */
export const challengeTexts = defineTexts(
  {
    title: 'Two-factor authentication',
    intro: {
      totp: 'Enter the code from your authenticator app.',
      otp: (email: string) => `We’ll email a code to ${email}.`,
      'backup-code': 'Enter one of the backup codes you saved when you set this up. Each works once.',
    },
    code: 'Code',
    backupCode: 'Backup code',
    submit: 'Continue',
    send: 'Send me a code',
    sentTo: (email: string, lifetime: string) => `We sent a code to ${email}. It is valid for ${lifetime}.`,
    sendAgain: 'Request a new code',
    sent: 'We sent a code.',
    trust: (days: number) => `Trust this device for ${days} days`,
    trustHint: 'You won’t be asked again here. Don’t use this on a shared computer.',
    otherWay: 'or',
    switchTo: {
      totp: 'Use the authenticator app',
      otp: 'Get a code by email',
      'backup-code': 'Use a backup code',
    },
    timeLeft: (time: string) => `Time left to sign in: ${time}`,
    goneTitle: 'Sign in again',
    gone: 'This sign-in has expired. Start again.',
    back: 'Back to sign in',
    errors: {
      INVALID_CODE: 'This code is incorrect. Enter the one that the app shows now.',
    } as Record<string, string>,
    mailedErrors: {
      INVALID_CODE: 'This code is incorrect. Check the newest email, or request a new code.',
    } as Record<string, string>,
  },
  {
    title: 'Zwei-Faktor-Anmeldung',
    intro: {
      totp: 'Gib den Code aus deiner Authenticator-App ein.',
      otp: (email) => `Wir schicken einen Code an ${email}.`,
      'backup-code': 'Gib einen der Ersatzcodes ein, die du beim Einrichten gesichert hast. Jeder gilt einmal.',
    },
    code: 'Code',
    backupCode: 'Ersatzcode',
    submit: 'Weiter',
    send: 'Code schicken',
    sentTo: (email, lifetime) => `Wir haben einen Code an ${email} geschickt. Er gilt ${lifetime}.`,
    sendAgain: 'Neuen Code anfordern',
    sent: 'Wir haben einen Code geschickt.',
    trust: (days) => `Diesem Gerät ${days} Tage lang vertrauen`,
    trustHint: 'Hier wirst du nicht noch einmal gefragt. Nicht für gemeinsam genutzte Computer.',
    otherWay: 'oder',
    switchTo: {
      totp: 'Authenticator-App verwenden',
      otp: 'Code per E-Mail',
      'backup-code': 'Ersatzcode verwenden',
    },
    timeLeft: (time) => `Verbleibende Zeit: ${time}`,
    goneTitle: 'Neu anmelden',
    gone: 'Diese Anmeldung ist abgelaufen. Beginne noch einmal.',
    back: 'Zurück zur Anmeldung',
    errors: {
      INVALID_CODE: 'Dieser Code ist falsch. Gib den ein, den die App jetzt zeigt.',
    },
    mailedErrors: {
      INVALID_CODE: 'Dieser Code ist falsch. Sieh in die neueste E-Mail oder fordere einen neuen Code an.',
    },
  },
)

/** Words of the account page and the wizard. */
export const twoFactorTexts = defineTexts(
  {
    title: 'Two-factor authentication',
    intro: 'A code from your phone in addition to your password.',
    off: 'Two-factor authentication is off.',
    on: 'Two-factor authentication is on.',
    setUp: 'Set up',
    needsPassword: 'It protects signing in with a password. Set one first.',
    needsAddress: 'It protects signing in with a password. Add an email address first, then set one.',
    addAddress: 'Add an email address',
    password: 'Your password',
    steps: (now: number, all: number) => `Step ${now} of ${all}`,
    confirmTitle: 'Confirm it’s you',
    scanTitle: 'Add the account to your app',
    scanIntro: 'Scan the QR code with an authenticator app, such as the one in your password manager.',
    qr: 'QR code with the key for your authenticator app',
    byHand: 'Can’t scan it? Enter this key instead',
    copyKey: 'Copy key',
    codeLabel: 'Code from the app',
    codesTitle: 'Save your backup codes',
    codesIntro: 'If you lose your phone, you can sign in with each of these once. They are not shown again.',
    codesFile: (app: string, email: string) => `${app} backup codes for ${email}`,
    codesOnce: 'Each code works once.',
    download: 'Download',
    print: 'Print',
    saved: 'I saved them',
    turnedOn: 'Two-factor authentication is on.',
    backupTitle: 'Backup codes',
    codesLeft: (count: number) =>
      count === 1 ? 'One unused code left.' : count === 0 ? 'No unused codes left.' : `${count} unused codes left.`,
    regenerate: 'Replace codes',
    regenerateTitle: 'Replace the backup codes?',
    regenerateWhat: 'Your current codes will stop working.',
    devicesTitle: 'Trusted devices',
    devices: (count: number) =>
      count === 0
        ? 'A code is required on every device.'
        : count === 1
          ? 'One device does not need a code.'
          : `${count} devices do not need a code.`,
    forget: 'Forget devices',
    forgetTitle: 'Require a code on every device?',
    forgetWhat: 'Each device needs a code the next time you sign in on it.',
    forgotten: 'A code is now required on every device.',
    appTitle: 'Authenticator app',
    app: 'With a new phone, set it up again. The old app works until you enter the first code from the new one.',
    replaceApp: 'Replace app',
    disableTitle: 'Turn off',
    disableWhat: 'Your password alone will be enough. This deletes the key, the backup codes and the trusted devices.',
    disable: 'Turn off two-factor authentication',
    disableOpen: 'Turn off',
    disabled: 'Two-factor authentication is off.',
    errors: {
      INVALID_CODE: 'This code is incorrect. Enter the one that the app shows now.',
    } as Record<string, string>,
  },
  {
    title: 'Zwei-Faktor-Anmeldung',
    intro: 'Ein Code von deinem Telefon zusätzlich zum Passwort.',
    off: 'Die Zwei-Faktor-Anmeldung ist aus.',
    on: 'Die Zwei-Faktor-Anmeldung ist an.',
    setUp: 'Einrichten',
    needsPassword: 'Sie schützt die Anmeldung mit Passwort. Lege zuerst eines fest.',
    needsAddress:
      'Sie schützt die Anmeldung mit Passwort. Füge zuerst eine E-Mail-Adresse hinzu und lege dann eines fest.',
    addAddress: 'E-Mail-Adresse hinzufügen',
    password: 'Dein Passwort',
    steps: (now, all) => `Schritt ${now} von ${all}`,
    confirmTitle: 'Bestätige, dass du es bist',
    scanTitle: 'Füge das Konto deiner App hinzu',
    scanIntro: 'Scanne den QR-Code mit einer Authenticator-App, zum Beispiel in deinem Passwortmanager.',
    qr: 'QR-Code mit dem Schlüssel für deine Authenticator-App',
    byHand: 'Scannen geht nicht? Gib stattdessen diesen Schlüssel ein',
    copyKey: 'Schlüssel kopieren',
    codeLabel: 'Code aus der App',
    codesTitle: 'Sichere deine Ersatzcodes',
    codesIntro:
      'Wenn du dein Telefon verlierst, kannst du dich mit jedem davon einmal anmelden. Sie werden nicht noch einmal angezeigt.',
    codesFile: (app, email) => `${app}: Ersatzcodes für ${email}`,
    codesOnce: 'Jeder Code gilt einmal.',
    download: 'Herunterladen',
    print: 'Drucken',
    saved: 'Ich habe sie gesichert',
    turnedOn: 'Die Zwei-Faktor-Anmeldung ist an.',
    backupTitle: 'Ersatzcodes',
    codesLeft: (count) =>
      count === 1
        ? 'Noch ein unbenutzter Code.'
        : count === 0
          ? 'Kein unbenutzter Code mehr.'
          : `Noch ${count} unbenutzte Codes.`,
    regenerate: 'Codes ersetzen',
    regenerateTitle: 'Ersatzcodes ersetzen?',
    regenerateWhat: 'Deine bisherigen Codes gelten dann nicht mehr.',
    devicesTitle: 'Vertrauenswürdige Geräte',
    devices: (count) =>
      count === 0
        ? 'Auf jedem Gerät ist ein Code nötig.'
        : count === 1
          ? 'Ein Gerät braucht keinen Code.'
          : `${count} Geräte brauchen keinen Code.`,
    forget: 'Geräte vergessen',
    forgetTitle: 'Auf jedem Gerät einen Code verlangen?',
    forgetWhat: 'Jedes Gerät braucht bei der nächsten Anmeldung einen Code.',
    forgotten: 'Ab jetzt ist auf jedem Gerät ein Code nötig.',
    appTitle: 'Authenticator-App',
    app: 'Mit einem neuen Telefon richtest du sie neu ein. Die alte gilt, bis du den ersten Code der neuen eingibst.',
    replaceApp: 'App ersetzen',
    disableTitle: 'Ausschalten',
    disableWhat:
      'Dann genügt dein Passwort. Der Schlüssel, die Ersatzcodes und die vertrauenswürdigen Geräte werden gelöscht.',
    disable: 'Zwei-Faktor-Anmeldung ausschalten',
    disableOpen: 'Ausschalten',
    disabled: 'Die Zwei-Faktor-Anmeldung ist aus.',
    errors: {
      INVALID_CODE: 'Dieser Code ist falsch. Gib den ein, den die App jetzt zeigt.',
    },
  },
)
