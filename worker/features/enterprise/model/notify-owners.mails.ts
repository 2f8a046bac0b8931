import { composeMail, keptLanguage, type MessageScope } from '../../../identity/messages/compose.ts'
import type { User } from '../../../identity/model/users.table.ts'
import { pageFor } from '../../../identity/pages.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { defineTexts, fill } from '../../../kit/texts.ts'
import { momentInWords } from '../../../kit/time.ts'
import { loadLanguage, textsIn } from '../../../languages/texts.ts'
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

export type SingleSignOnWarning =
  | 'identity-provider-certificate'
  | 'own-certificate'
  | 'record-missing'
  | 'record-unanswered'
  | 'domain-lost'

const warnings = defineTexts<Record<SingleSignOnWarning, string>>('mail/singleSignOnWarnings', {
  'identity-provider-certificate':
    'The certificate of the identity provider of the connection {subject} expires on {at} UTC. Add its new certificate before that.',
  'own-certificate': 'Our certificate of the connection {subject} expires on {at} UTC. Rotate its key before that.',
  'record-missing':
    'The TXT record of the domain {subject} is missing. Without it, the domain is no longer verified on {at} UTC.',
  'record-unanswered':
    'The name servers of the domain {subject} do not answer. Without an answer, the domain is no longer verified on {at} UTC.',
  'domain-lost': 'The domain {subject} is no longer verified. Single sign-on does not apply to its addresses any more.',
})

const warning = defineMail('mail/singleSignOnWarning', {
  subject: 'Single sign-on of {organization} needs your attention',
  paragraphs: { what: '{change}' },
  button: 'See single sign-on',
})

/** A name in plain words; a domain has been verified, and a space in it would make it another one. */
const named = (kind: SingleSignOnChange | SingleSignOnWarning, subject: string): string =>
  /^(domain|record)-/.test(kind) ? subject : plainWords(subject)

/** A warning to an owner. @param at when the subject ends */
export async function singleSignOnWarningMail(
  scope: MessageScope,
  organization: string,
  owner: Pick<User, 'email' | 'name' | 'language'>,
  kind: SingleSignOnWarning,
  { subject, at }: { subject: string; at: Date },
): Promise<Mail> {
  const language = keptLanguage(scope, owner)
  await loadLanguage(language)
  const sentence = textsIn(warnings, language, scope.shared.brand.texts)[kind]
  return composeMail(
    scope,
    'singleSignOn',
    warning,
    { ...owner, language },
    {
      organization: plainWords(organization),
      change: fill(sentence, { subject: named(kind, subject), at: momentInWords(at, language) }, language),
      url: pageFor(scope, 'singleSignOn'),
    },
  )
}

export async function singleSignOnMail(
  scope: MessageScope,
  organization: string,
  owner: Pick<User, 'email' | 'name' | 'language'>,
  change: SingleSignOnChange,
  subject: string,
): Promise<Mail> {
  const language = keptLanguage(scope, owner)
  await loadLanguage(language)
  const sentence = textsIn(changes, language, scope.shared.brand.texts)[change]
  return composeMail(
    scope,
    'singleSignOn',
    notice,
    { ...owner, language },
    {
      organization: plainWords(organization),
      change: fill(sentence, { subject: named(change, subject) }, language),
      url: pageFor(scope, 'singleSignOn'),
    },
  )
}
