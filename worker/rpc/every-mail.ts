import { pausedDeploymentMail, pausedMail } from '../features/audit/streams/paused.mails.ts'
import { nearlyFullMail } from '../features/directory/users/nearly-full.mails.ts'
import { codeMail } from '../features/email-otp/email-otp.mails.ts'
import { firstPasswordMail, resetMail } from '../features/email-password/email-password.mails.ts'
import { singleSignOnMail, singleSignOnWarningMail } from '../features/enterprise/model/notify-owners.mails.ts'
import { magicLinkMail } from '../features/magic-link/magic-link.mails.ts'
import { acceptedMail, invitationMail } from '../features/organization/invitations/invitations.mails.ts'
import { removedMail, roleChangedMail } from '../features/organization/members/members.mails.ts'
import { deletionMail } from '../features/profile/profile.mails.ts'
import { addressCodeMail } from '../features/social/address/address.mails.ts'
import { otpMail } from '../features/two-factor/two-factor.mails.ts'
import { addressChangeMail, newAddressMail, verificationMail } from '../identity/accounts/verification.mails.ts'
import { fullDatabaseMail } from '../identity/full-database.mails.ts'
import type { User } from '../identity/model/users.table.ts'
import type { Scope } from '../identity/scope.ts'
import { noticeMail } from '../identity/security/security-notices.mails.ts'
import { accountExistsMail } from '../identity/sign-in/account-exists.mails.ts'
import { confirmationMail } from '../identity/sign-in/step-up.mails.ts'
import type { Brand } from '../kit/brand.ts'
import type { Language } from '../kit/language.ts'
import { hours, minutes } from '../kit/time.ts'
import type { Mail } from '../platform/mailer/mail.ts'

const url =
  'https://accounts.example.com/api/auth/verify?token=eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2ln&callbackURL=%2Fhome'

/**
 * One mail of every kind, by its kind, for previews and tests.
 * @param words the names of users and organizations
 * @param options with the templates of the configuration
 */
export async function everyMail(
  language: Language,
  brand: Brand,
  words = { person: 'Ada Lovelace', organization: 'Analytical Engines' },
  options: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, Mail>> {
  const scope = {
    shared: { brand },
    language,
    request: { language },
    options,
    settings: { baseUrl: 'https://accounts.example.com' },
    now: () => new Date(0),
    log: () => undefined,
  } as unknown as Scope
  const ada = { name: words.person, email: 'ada@people.example', emailVerified: true, language } as User
  const organization = { name: words.organization }
  const link = { url, expiresIn: hours(1) }
  const code = { code: '418293', expiresIn: minutes(5) }
  const invitation = {
    email: 'bob@people.example',
    role: 'admin,auditor',
    expiresAt: new Date('2026-12-03T15:30:00Z'),
    id: 'an-id',
  }
  const notice = {
    event: 'password-changed' as const,
    device: 'Firefox 131, Linux',
    place: 'Osaka, Japan',
    at: new Date('2026-12-03T15:30:00Z'),
    url: 'https://accounts.example.com/account/security',
    revertsUntil: null,
  }
  return {
    verification: await verificationMail(scope, ada, link),
    'change of address': await addressChangeMail(scope, ada, 'lovelace@people.example', link),
    'new address': await newAddressMail(scope, ada, 'lovelace@people.example', link),
    'sign-in code': await codeMail(scope, 'sign-in', ada, code),
    'verification code': await codeMail(scope, 'email-verification', ada, code),
    'reset code': await codeMail(scope, 'forget-password', ada, code),
    'magic link': await magicLinkMail(scope, ada, link),
    'password reset': await resetMail(scope, ada, link),
    'first password': await firstPasswordMail(scope, ada, link),
    'account exists': await accountExistsMail(scope, ada.email),
    deletion: await deletionMail(scope, ada, link),
    'second factor': await otpMail(scope, ada, code),
    confirmation: await confirmationMail(scope, ada, code),
    'address at a provider': await addressCodeMail(scope, ada.email, { provider: 'Reddit', ...code }),
    invitation: await invitationMail(scope, organization, ada, invitation, null),
    'accepted invitation': await acceptedMail(
      scope,
      organization,
      ada,
      { ...ada, name: '', emailVerified: false },
      'member',
    ),
    'changed role': await roleChangedMail(scope, organization, ada, 'owner'),
    'removed member': await removedMail(scope, organization, ada),
    'single sign-on': await singleSignOnMail(scope, organization.name, ada, 'domain-verified', 'people.example'),
    'single sign-on warning': await singleSignOnWarningMail(scope, organization.name, ada, 'record-missing', {
      subject: 'people.example',
      at: new Date('2027-01-01'),
    }),
    'paused stream': await pausedMail(scope, organization.name, ada, 'SIEM'),
    'paused stream of the deployment': await pausedDeploymentMail(scope, ada, 'SIEM'),
    'full directories': await nearlyFullMail(scope, ada, 82),
    'full database': await fullDatabaseMail(scope, ada, 87),
    'security notice': await noticeMail(scope, { ...ada, language }, notice),
    'changed address': await noticeMail(
      scope,
      { ...ada, language },
      {
        ...notice,
        event: 'email-changed',
        revertsUntil: invitation.expiresAt,
      },
    ),
  }
}
