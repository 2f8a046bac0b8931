import { composeMail, keptLanguage, type MessageScope, type Reader } from '../../../identity/messages/compose.ts'
import type { MailData } from '../../../identity/messages/templates.ts'
import { pageFor } from '../../../identity/pages.ts'
import type { User } from '../../../identity/users/users.table.ts'
import type { InEachLanguage, Language } from '../../../kit/language.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import type { MailWords } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import type { Invitation } from '../membership/invitations.table.ts'
import type { Organization } from '../membership/organizations.table.ts'
import { addressOf, namesOf, personOf, withAddress } from '../membership/words.ts'

type Person = Pick<User, 'name' | 'email' | 'emailVerified'>

/** In universal time, which says so: nobody knows where the mail is read. */
const written = (moment: Date, language: Language): string =>
  moment.toLocaleString(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })

const invitation: InEachLanguage<(data: MailData['invitation']) => MailWords> = {
  en: ({ organization, inviter, inviterEmail, roles, email, expiresAt, language }) => ({
    subject: `${inviter} invites you to ${organization}`,
    heading: `You are invited to ${organization}`,
    paragraphs: [
      `${withAddress(inviter, inviterEmail)} invites you to join ${organization} as ${roles}.`,
      `Sign in with ${email}, or create an account with this address. The invitation is valid until ${written(expiresAt, language)} UTC.`,
    ],
    button: 'See the invitation',
    note: 'If you don’t know the sender, you can ignore this email: nothing happens unless you accept.',
  }),
  de: ({ organization, inviter, inviterEmail, roles, email, expiresAt, language }) => ({
    subject: `${inviter} lädt dich zu ${organization} ein`,
    heading: `Du bist zu ${organization} eingeladen`,
    paragraphs: [
      `hier ist eine Einladung für dich: ${withAddress(inviter, inviterEmail)} lädt dich zu ${organization} ein. Deine Rolle: ${roles}.`,
      `Melde dich mit ${email} an oder registriere dich mit dieser Adresse. Die Einladung gilt bis ${written(expiresAt, language)} Uhr UTC.`,
    ],
    button: 'Einladung ansehen',
    note: 'Wenn du die Person nicht kennst, kannst du diese E-Mail ignorieren: Es geschieht nichts, solange du nicht annimmst.',
  }),
}

/** @param language of the invited, where they have an account */
export function invitationMail(
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  inviter: Person,
  { email, role, expiresAt, id }: Pick<Invitation, 'email' | 'role' | 'expiresAt' | 'id'>,
  known: Pick<Reader, 'language'> | null,
): Mail {
  const language = keptLanguage(scope, known)
  return composeMail(
    scope,
    'invitation',
    invitation,
    { email, language },
    {
      organization: plainWords(organization.name),
      inviter: personOf(inviter, language),
      inviterEmail: addressOf(inviter),
      roles: namesOf(role ?? 'member', language),
      expiresAt,
      url: pageFor(scope, 'acceptInvitation', { id }),
    },
  )
}

const accepted: InEachLanguage<(data: MailData['invitationAccepted']) => MailWords> = {
  en: ({ organization, member, memberEmail, roles }) => ({
    subject: `${member} has joined ${organization}`,
    paragraphs: [
      `${withAddress(member, memberEmail)} has accepted your invitation and is now ${roles} at ${organization}.`,
    ],
    button: 'See the members',
  }),
  de: ({ organization, member, memberEmail, roles }) => ({
    subject: `${member} ist ${organization} beigetreten`,
    paragraphs: [
      `deine Einladung wurde angenommen: ${withAddress(member, memberEmail)} ist jetzt bei ${organization}. Rolle: ${roles}.`,
    ],
    button: 'Mitglieder ansehen',
  }),
}

export function acceptedMail(
  scope: MessageScope,
  organization: Pick<Organization, 'name'>,
  inviter: Reader,
  user: Person,
  role: string,
): Mail {
  const language = keptLanguage(scope, inviter)
  return composeMail(
    scope,
    'invitationAccepted',
    accepted,
    { ...inviter, language },
    {
      organization: plainWords(organization.name),
      member: personOf(user, language),
      memberEmail: addressOf(user),
      roles: namesOf(role, language),
      url: pageFor(scope, 'members'),
    },
  )
}
