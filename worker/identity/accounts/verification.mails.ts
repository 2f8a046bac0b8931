import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { composeMail, type MessageScope, type Reader, readersLanguage } from '../messages/compose.ts'
import type { User } from '../model/users.table.ts'

/** A link with its lifetime in seconds. */
interface Link {
  url: string
  expiresIn: number
}

const verification = defineMail('mail/verifyEmail', {
  subject: 'Confirm your email for {appName}',
  heading: 'Confirm your email address',
  paragraphs: { confirm: 'Please confirm that {email} is your address.' },
  button: 'Confirm email',
  note: 'If you didn’t create an account, you can ignore this email.',
})

export const verificationMail = (scope: MessageScope, user: Reader, link: Link): Promise<Mail> =>
  composeMail(scope, 'verifyEmail', verification, { ...user, language: readersLanguage(scope, user) }, link)

const addressChange = defineMail('mail/changeEmail', {
  subject: 'Confirm your new email address for {appName}',
  heading: 'Confirm your new email address',
  paragraphs: {
    what: 'You asked to change the email address of your account to {newEmail}.',
    open: 'Open this link in the browser where you are signed in.',
  },
  button: 'Change my address',
  note: 'If you didn’t ask for this, change your password: someone else is signed in to your account.',
})

/** To the current address. */
export const addressChangeMail = (scope: MessageScope, user: Reader, newEmail: string, link: Link): Promise<Mail> =>
  composeMail(
    scope,
    'changeEmail',
    addressChange,
    { ...user, language: readersLanguage(scope, user) },
    { ...link, newEmail },
  )

const newAddress = defineMail('mail/confirmNewEmail', {
  subject: 'Confirm your address for {appName}',
  heading: 'Confirm that this is your address',
  paragraphs: {
    what: 'Someone, probably you, wants to use this address for their account.',
    open: 'Open this link in the browser where you are signed in.',
  },
  button: 'Use this address',
  note: 'If it wasn’t you, you can ignore this email.',
})

/** The mail to the new address. It omits the user's name, because the user has not proven the address yet. */
export const newAddressMail = (scope: MessageScope, { language }: User, newEmail: string, link: Link): Promise<Mail> =>
  composeMail(
    scope,
    'confirmNewEmail',
    newAddress,
    { email: newEmail, language: readersLanguage(scope, { language }) },
    link,
  )
