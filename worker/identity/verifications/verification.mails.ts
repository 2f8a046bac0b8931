import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { composeMail, type MessageScope, type Reader, readersLanguage } from '../messages/compose.ts'
import type { MailData } from '../messages/templates.ts'
import type { User } from '../users/users.table.ts'

/** A link, and for how many seconds it is one. */
interface Link {
  url: string
  expiresIn: number
}

const verification: InEachLanguage<(data: MailData['verifyEmail']) => MailWords> = {
  en: ({ appName, email }) => ({
    subject: `Confirm your email for ${appName}`,
    heading: 'Confirm your email address',
    paragraphs: [`Please confirm that ${email} is your address.`],
    button: 'Confirm email',
    note: 'If you didn’t create an account, you can ignore this email.',
  }),
  de: ({ appName, email }) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${appName}`,
    heading: 'Bestätige deine E-Mail-Adresse',
    paragraphs: [`bitte bestätige, dass ${email} deine Adresse ist.`],
    button: 'Adresse bestätigen',
    note: 'Wenn du kein Konto angelegt hast, kannst du diese E-Mail ignorieren.',
  }),
}

export const verificationMail = (scope: MessageScope, user: Reader, link: Link): Mail =>
  composeMail(scope, 'verifyEmail', verification, { ...user, language: readersLanguage(scope, user) }, link)

const addressChange: InEachLanguage<(data: MailData['changeEmail']) => MailWords> = {
  en: ({ appName, newEmail }) => ({
    subject: `Confirm your new email address for ${appName}`,
    heading: 'Confirm your new email address',
    paragraphs: [
      `You asked to change the email address of your account to ${newEmail}.`,
      'Open this link in the browser where you are signed in.',
    ],
    button: 'Change my address',
    note: 'If you didn’t ask for this, change your password: someone else is signed in to your account.',
  }),
  de: ({ appName, newEmail }) => ({
    subject: `Bestätige deine neue E-Mail-Adresse für ${appName}`,
    heading: 'Bestätige deine neue E-Mail-Adresse',
    paragraphs: [
      `du möchtest die E-Mail-Adresse deines Kontos in ${newEmail} ändern.`,
      'Öffne diesen Link in dem Browser, in dem du angemeldet bist.',
    ],
    button: 'Adresse ändern',
    note: 'Wenn du das nicht angefordert hast, ändere dein Passwort: Jemand anderes ist in deinem Konto angemeldet.',
  }),
}

/** To the address in force. */
export const addressChangeMail = (scope: MessageScope, user: Reader, newEmail: string, link: Link): Mail =>
  composeMail(
    scope,
    'changeEmail',
    addressChange,
    { ...user, language: readersLanguage(scope, user) },
    { ...link, newEmail },
  )

const newAddress: InEachLanguage<(data: MailData['confirmNewEmail']) => MailWords> = {
  en: ({ appName }) => ({
    subject: `Confirm your address for ${appName}`,
    heading: 'Confirm that this is your address',
    paragraphs: [
      'Someone, probably you, wants to use this address for their account.',
      'Open this link in the browser where you are signed in.',
    ],
    button: 'Use this address',
    note: 'If it wasn’t you, you can ignore this email.',
  }),
  de: ({ appName }) => ({
    subject: `Bestätige deine Adresse für ${appName}`,
    heading: 'Bestätige, dass das deine Adresse ist',
    paragraphs: [
      'jemand, wahrscheinlich du, möchte diese Adresse für ein Konto verwenden.',
      'Öffne diesen Link in dem Browser, in dem du angemeldet bist.',
    ],
    button: 'Diese Adresse verwenden',
    note: 'Wenn du das nicht warst, kannst du diese E-Mail ignorieren.',
  }),
}

/** To the address that is to come. It names nobody: whether the address is theirs is not known yet. */
export const newAddressMail = (scope: MessageScope, { language }: User, newEmail: string, link: Link): Mail =>
  composeMail(
    scope,
    'confirmNewEmail',
    newAddress,
    { email: newEmail, language: readersLanguage(scope, { language }) },
    link,
  )
