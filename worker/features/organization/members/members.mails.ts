import type { Scope } from '../../../identity/scope.ts'
import type { InEachLanguage } from '../../../kit/language.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { composeMail, type MailWords } from '../../../platform/mailer/layout.ts'
import type { Mail } from '../../../platform/mailer/mail.ts'
import type { Organization } from '../membership/organizations.table.ts'
import type { MemberUser } from '../membership/present-membership.ts'
import { namesOf } from '../membership/words.ts'

type Style = Pick<Scope, 'brand' | 'language' | 'settings'>

const roleChanged: InEachLanguage<(organization: string, roles: string) => MailWords> = {
  en: (organization, roles) => ({
    subject: `Your role at ${organization} has changed`,
    paragraphs: [`At ${organization} you are now ${roles}.`],
    action: 'See the members',
  }),
  de: (organization, roles) => ({
    subject: `Deine Rolle bei ${organization} hat sich geändert`,
    paragraphs: [`bei ${organization} bist du jetzt ${roles}.`],
    action: 'Mitglieder ansehen',
  }),
}

export function roleChangedMail(
  scope: Style,
  organization: Pick<Organization, 'name'>,
  { email, name }: Pick<MemberUser, 'email' | 'name'>,
  role: string,
): Mail {
  const words = roleChanged[scope.language](plainWords(organization.name), namesOf(role, scope.language))
  const url = `${scope.settings.baseUrl}/organization/members`
  return composeMail(scope, { kind: 'membership', to: email, name, url, ...words })
}

const removed: InEachLanguage<(organization: string) => MailWords> = {
  en: (organization) => ({
    subject: `You are no longer a member of ${organization}`,
    paragraphs: [`You have been removed from ${organization}. Your own account stays as it is.`],
    note: `If you think this is a mistake, ask an owner of ${organization} to invite you again.`,
  }),
  de: (organization) => ({
    subject: `Du bist kein Mitglied von ${organization} mehr`,
    paragraphs: [`du wurdest aus ${organization} entfernt. Dein eigenes Konto bleibt, wie es ist.`],
    note: `Wenn du das für einen Irrtum hältst, bitte einen Inhaber von ${organization}, dich noch einmal einzuladen.`,
  }),
}

export function removedMail(
  scope: Style,
  organization: Pick<Organization, 'name'>,
  { email, name }: Pick<MemberUser, 'email' | 'name'>,
): Mail {
  const words = removed[scope.language](plainWords(organization.name))
  return composeMail(scope, { kind: 'membership', to: email, name, ...words })
}
