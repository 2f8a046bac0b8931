import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { InEachLanguage } from '../../kit/language.ts'
import { inWords } from '../../kit/time.ts'
import { composeMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'

const deletion: InEachLanguage<(app: string, lifetime: string) => MailWords> = {
  en: (app, lifetime) => ({
    subject: `Delete your account at ${app}`,
    heading: 'Delete your account',
    paragraphs: [
      'You asked to delete your account and everything that belongs to it. This can’t be undone.',
      `Open this link in the browser where you are signed in. It is valid for ${lifetime}.`,
    ],
    action: 'Delete my account',
    note: 'If you didn’t ask for this, change your password: someone else is signed in to your account.',
  }),
  de: (app, lifetime) => ({
    subject: `Lösche dein Konto bei ${app}`,
    heading: 'Lösche dein Konto',
    paragraphs: [
      'du möchtest dein Konto und alles, was dazugehört, löschen. Das lässt sich nicht rückgängig machen.',
      `Öffne diesen Link in dem Browser, in dem du angemeldet bist. Er gilt ${lifetime}.`,
    ],
    action: 'Mein Konto löschen',
    note: 'Wenn du das nicht angefordert hast, ändere dein Passwort: Jemand anderes ist in deinem Konto angemeldet.',
  }),
}

/** @param lifetime of the link, in seconds */
export function deletionMail(
  scope: Pick<Scope, 'brand' | 'language'>,
  { name, email }: User,
  { url, lifetime }: { url: string; lifetime: number },
): Mail {
  const words = deletion[scope.language](scope.brand.name, inWords(lifetime, scope.language))
  return composeMail(scope, { kind: 'delete-account', to: email, name, url, ...words })
}
