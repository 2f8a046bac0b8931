import { defineTexts } from '../../lib/texts/texts.ts'

export const usernameTexts = defineTexts(
  {
    title: 'Username',
    intro: 'You can sign in with it instead of your email address.',
    label: 'Username',
    hint: (min: number, max: number) => `${min} to ${max} letters, digits, dots and underscores.`,
    free: (name: string) => `${name} is available.`,
    taken: 'This username is taken.',
    save: 'Save username',
    saved: 'Your username has been saved.',
    removed: 'Your username has been removed.',
    tooShort: (min: number) => `Use at least ${min} characters.`,
    invalid: 'Use only letters, digits, dots and underscores.',
  },
  {
    title: 'Benutzername',
    intro: 'Du kannst dich damit statt mit deiner E-Mail-Adresse anmelden.',
    label: 'Benutzername',
    hint: (min, max) => `${min} bis ${max} Buchstaben, Ziffern, Punkte und Unterstriche.`,
    free: (name) => `${name} ist frei.`,
    taken: 'Dieser Benutzername ist vergeben.',
    save: 'Benutzernamen speichern',
    saved: 'Dein Benutzername ist gespeichert.',
    removed: 'Dein Benutzername wurde entfernt.',
    tooShort: (min) => `Mindestens ${min} Zeichen.`,
    invalid: 'Nur Buchstaben, Ziffern, Punkte und Unterstriche.',
  },
)

/** The server's codes about usernames, as the sign-up form tells them. */
export const usernameErrors = {
  en: {
    USERNAME_IS_TOO_SHORT: 'This username is too short.',
    USERNAME_IS_TOO_LONG: 'This username is too long.',
    USERNAME_IS_INVALID: 'Use only letters, digits, dots and underscores.',
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: 'This username is taken.',
  },
  de: {
    USERNAME_IS_TOO_SHORT: 'Dieser Benutzername ist zu kurz.',
    USERNAME_IS_TOO_LONG: 'Dieser Benutzername ist zu lang.',
    USERNAME_IS_INVALID: 'Nur Buchstaben, Ziffern, Punkte und Unterstriche.',
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: 'Dieser Benutzername ist vergeben.',
  },
}
