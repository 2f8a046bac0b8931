import type { InEachLanguage } from '../../kit/language.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Scope } from '../scope.ts'
import type { User } from '../users/users.table.ts'

type Style = Pick<Scope, 'brand' | 'language'>

const verification: InEachLanguage<(app: string, email: string) => MailWords> = {
  en: (app, email) => ({
    subject: `Verify your email for ${app}`,
    heading: 'Verify your email address',
    paragraphs: [`Please confirm that ${email} is your address.`],
    action: 'Verify email',
    note: 'If you didn’t create an account, you can ignore this email.',
  }),
  de: (app, email) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${app}`,
    heading: 'Bestätige deine E-Mail-Adresse',
    paragraphs: [`bitte bestätige, dass ${email} deine Adresse ist.`],
    action: 'Adresse bestätigen',
    note: 'Wenn du kein Konto angelegt hast, kannst du diese E-Mail ignorieren.',
  }),
}

export function verificationMail(scope: Style, { name, email }: User, url: string): Mail {
  const words = verification[scope.language](scope.brand.name, email)
  return composeMail(scope, { kind: 'email-verification', to: email, name, url, ...words })
}

const addressChange: InEachLanguage<(app: string, newEmail: string) => MailWords> = {
  en: (app, newEmail) => ({
    subject: `Confirm your new email address for ${app}`,
    heading: 'Confirm your new email address',
    paragraphs: [
      `You asked to change the email address of your account to ${newEmail}.`,
      'Open this link in the browser where you are signed in.',
    ],
    action: 'Change my address',
    note: 'If you didn’t ask for this, change your password: someone else is signed in to your account.',
  }),
  de: (app, newEmail) => ({
    subject: `Bestätige deine neue E-Mail-Adresse für ${app}`,
    heading: 'Bestätige deine neue E-Mail-Adresse',
    paragraphs: [
      `du möchtest die E-Mail-Adresse deines Kontos in ${newEmail} ändern.`,
      'Öffne diesen Link in dem Browser, in dem du angemeldet bist.',
    ],
    action: 'Adresse ändern',
    note: 'Wenn du das nicht angefordert hast, ändere dein Passwort: Jemand anderes ist in deinem Konto angemeldet.',
  }),
}

/** To the address in force. */
export function addressChangeMail(scope: Style, { name, email }: User, newEmail: string, url: string): Mail {
  const words = addressChange[scope.language](scope.brand.name, newEmail)
  return composeMail(scope, { kind: 'change-email', to: email, name, url, ...words })
}

const newAddress: InEachLanguage<(app: string) => MailWords> = {
  en: (app) => ({
    subject: `Confirm your address for ${app}`,
    heading: 'Confirm that this is your address',
    paragraphs: [
      'Someone, probably you, wants to use this address for their account.',
      'Open this link in the browser where you are signed in.',
    ],
    action: 'Use this address',
    note: 'If it wasn’t you, you can ignore this email.',
  }),
  de: (app) => ({
    subject: `Bestätige deine Adresse für ${app}`,
    heading: 'Bestätige, dass das deine Adresse ist',
    paragraphs: [
      'jemand, wahrscheinlich du, möchte diese Adresse für sein Konto verwenden.',
      'Öffne diesen Link in dem Browser, in dem du angemeldet bist.',
    ],
    action: 'Diese Adresse verwenden',
    note: 'Wenn du das nicht warst, kannst du diese E-Mail ignorieren.',
  }),
}

/** To the address that is to come. It names nobody: whether the address is theirs is not known yet. */
export function newAddressMail(scope: Style, newEmail: string, url: string): Mail {
  return composeMail(scope, { kind: 'new-email', to: newEmail, url, ...newAddress[scope.language](scope.brand.name) })
}
