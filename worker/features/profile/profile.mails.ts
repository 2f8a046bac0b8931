import { composeMail, type MessageScope, type Reader, readersLanguage } from '../../identity/messages/compose.ts'
import type { MailData } from '../../identity/messages/templates.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import type { MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const deletion: InEachLanguage<(data: MailData['deleteAccount']) => MailWords> = {
  en: ({ appName, lifetime }) => ({
    subject: `Delete your account at ${appName}`,
    heading: 'Delete your account',
    paragraphs: [
      'You asked to delete your account and everything that belongs to it. This can’t be undone.',
      `Open this link in the browser where you are signed in. It is valid for ${lifetime}.`,
    ],
    button: 'Delete my account',
    note: 'If you didn’t ask for this, change your password: someone else is signed in to your account.',
  }),
  de: ({ appName, lifetime }) => ({
    subject: `Lösche dein Konto bei ${appName}`,
    heading: 'Lösche dein Konto',
    paragraphs: [
      'du möchtest dein Konto und alles, was dazugehört, löschen. Das lässt sich nicht rückgängig machen.',
      `Öffne diesen Link in dem Browser, in dem du angemeldet bist. Er gilt ${lifetime}.`,
    ],
    button: 'Mein Konto löschen',
    note: 'Wenn du das nicht angefordert hast, ändere dein Passwort: Jemand anderes ist in deinem Konto angemeldet.',
  }),
}

/** @param own expiresIn: seconds */
export const deletionMail = (scope: MessageScope, user: Reader, own: { url: string; expiresIn: number }): Mail =>
  composeMail(scope, 'deleteAccount', deletion, { ...user, language: readersLanguage(scope, user) }, own)
