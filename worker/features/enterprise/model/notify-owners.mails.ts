import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { pageFor } from '../../../identity/pages.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { defineTexts, fill } from '../../../kit/texts.ts'
import { textsIn } from '../../../languages/texts.ts'
import { defineMail } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'

export type SingleSignOnChange = 'setup-link-created' | 'connection-activated' | 'domain-verified'

const changes = defineTexts<Record<SingleSignOnChange, string>>('mail/singleSignOnChanges', {
  'setup-link-created': 'A link with which another person can set up single sign-on was created.',
  'connection-activated': 'The connection {subject} was activated with the set-up link.',
  'domain-verified': 'The domain {subject} was verified with the set-up link.',
})

const notice = defineMail('mail/singleSignOn', {
  subject: 'Single sign-on of {organization} has changed',
  paragraphs: { what: '{change}' },
  button: 'See single sign-on',
  note: 'If you do not expect this, revoke the set-up link and check the connections.',
})

export function singleSignOnMail(
  scope: MessageScope,
  organization: string,
  owner: Pick<User, 'email' | 'name' | 'language'>,
  change: SingleSignOnChange,
  subject: string,
): Mail {
  const language = keptLanguage(scope, owner)
  const sentence = textsIn(changes, language, scope.brand.texts)[change]
  return composeMail(
    scope,
    'singleSignOn',
    notice,
    { ...owner, language },
    {
      organization: plainWords(organization),
      change: fill(sentence, { subject: plainWords(subject) }, language),
      url: pageFor(scope, 'singleSignOn'),
    },
  )
}
