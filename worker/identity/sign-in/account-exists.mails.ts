import { defineMail } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import { composeMail, type MessageScope, readersLanguage } from '../messages/compose.ts'
import { pageFor } from '../pages.ts'

const accountExists = defineMail('mail/accountExists', {
  subject: 'You already have an account at {appName}',
  heading: 'You already have an account',
  paragraphs: { what: 'Someone, probably you, tried to sign up with this address. You can sign in right away.' },
  button: 'Sign in',
  note: 'If it wasn’t you, nothing has happened to your account.',
})

/** The strict profile sends this mail to the owner of an address when a visitor signs up with that address again. */
export const accountExistsMail = (scope: MessageScope, email: string): Promise<Mail> =>
  composeMail(
    scope,
    'accountExists',
    accountExists,
    { email, language: readersLanguage(scope) },
    { url: pageFor(scope, 'signIn') },
  )
