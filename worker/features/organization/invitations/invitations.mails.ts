import type { Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import type { InEachLanguage, Language } from '../../../kit/language.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { withQuery } from '../../../kit/urls.ts'
import { composeMail, type MailWords } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import type { Invitation } from '../membership/invitations.table.ts'
import type { Organization } from '../membership/organizations.table.ts'
import { namesOf, personOf, personWithAddress } from '../membership/words.ts'

type Style = Pick<Scope, 'brand' | 'language' | 'settings'>
type Person = Pick<User, 'name' | 'email' | 'emailVerified'>

/** In universal time, which says so: nobody knows where the mail is read. */
const written = (moment: Date, language: Language): string =>
  moment.toLocaleString(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })

interface InvitationFacts {
  organization: string
  inviter: string
  inviterWithAddress: string
  roles: string
  email: string
  until: string
}

const invitation: InEachLanguage<(facts: InvitationFacts) => MailWords> = {
  en: ({ organization, inviter, inviterWithAddress, roles, email, until }) => ({
    subject: `${inviter} invites you to ${organization}`,
    heading: `You are invited to ${organization}`,
    paragraphs: [
      `${inviterWithAddress} invites you to join ${organization} as ${roles}.`,
      `Sign in with ${email}, or create an account with this address. The invitation is valid until ${until} UTC.`,
    ],
    action: 'See the invitation',
    note: 'If you don’t know the sender, you can ignore this email: nothing happens unless you accept.',
  }),
  de: ({ organization, inviter, inviterWithAddress, roles, email, until }) => ({
    subject: `${inviter} lädt dich zu ${organization} ein`,
    heading: `Du bist zu ${organization} eingeladen`,
    paragraphs: [
      `${inviterWithAddress} lädt dich zu ${organization} ein. Deine Rolle: ${roles}.`,
      `Melde dich mit ${email} an oder registriere dich mit dieser Adresse. Die Einladung gilt bis ${until} Uhr UTC.`,
    ],
    action: 'Einladung ansehen',
    note: 'Wenn du den Absender nicht kennst, kannst du diese E-Mail ignorieren: Es geschieht nichts, solange du nicht annimmst.',
  }),
}

export function invitationMail(
  scope: Style,
  organization: Pick<Organization, 'name'>,
  inviter: Person,
  { email, role, expiresAt, id }: Pick<Invitation, 'email' | 'role' | 'expiresAt' | 'id'>,
): Mail {
  const { language } = scope
  const words = invitation[language]({
    organization: plainWords(organization.name),
    inviter: personOf(inviter, language),
    inviterWithAddress: personWithAddress(inviter, language),
    roles: namesOf(role ?? 'member', language),
    email,
    until: written(expiresAt, language),
  })
  const url = withQuery(`${scope.settings.baseUrl}/accept-invitation`, { id })
  return composeMail(scope, { kind: 'invitation', to: email, url, ...words })
}

const accepted: InEachLanguage<
  (facts: { organization: string; person: string; personWithAddress: string; roles: string }) => MailWords
> = {
  en: ({ organization, person, personWithAddress, roles }) => ({
    subject: `${person} has joined ${organization}`,
    paragraphs: [`${personWithAddress} has accepted your invitation and is now ${roles} at ${organization}.`],
    action: 'See the members',
  }),
  de: ({ organization, person, personWithAddress, roles }) => ({
    subject: `${person} ist ${organization} beigetreten`,
    paragraphs: [`${personWithAddress} hat deine Einladung angenommen und ist jetzt ${roles} bei ${organization}.`],
    action: 'Mitglieder ansehen',
  }),
}

export function acceptedMail(
  scope: Style,
  organization: Pick<Organization, 'name'>,
  inviter: Person,
  user: Person,
  role: string,
): Mail {
  const { language } = scope
  const words = accepted[language]({
    organization: plainWords(organization.name),
    person: personOf(user, language),
    personWithAddress: personWithAddress(user, language),
    roles: namesOf(role, language),
  })
  const url = `${scope.settings.baseUrl}/organization/members`
  return composeMail(scope, { kind: 'membership', to: inviter.email, name: inviter.name, url, ...words })
}
