import { plainWords } from '../../kit/plain-words.ts'
import { newId } from '../../kit/random.ts'
import type { Condition } from '../../platform/statements.ts'
import { keptLanguage } from '../messages/compose.ts'
import { sendMail, sendNoticeText } from '../messages/messages.ts'
import type { SecurityNotice } from '../model/security-event-types.ts'
import type { SecurityEventRow } from '../model/security-events.table.ts'
import type { User } from '../model/users.table.ts'
import { pageFor, securityPageFor } from '../pages.ts'
import { contributed } from '../registry.ts'
import type { Scope } from '../scope.ts'
import type { SecurityPart } from '../security-parts.ts'
import { describeDevice } from '../sessions/describe-device.ts'
import type { Work } from '../work.ts'
import { securityNoticeOptions } from './security.config.ts'
import { isRecorded, isUnanswered } from './security-events.store.ts'
import { noticeMail, noticeText, placeInWords } from './security-notices.mails.ts'

/**
 * Notices to the owner of an account whose access has changed. They go to the contact from before the change: the
 * proven address; without one, the proven number; without both, the unproven address, without name, device and place,
 * because someone else may read that mailbox. Guests get no notices.
 */
/** The target of a notice's link, and its expiry. */
export interface NoticeLink {
  url: string
  until: Date
}

type Recipient = { address: string; name: string; isProven: boolean } | { number: string }

/** The payload of a notice's job. Its text is composed when it is sent. */
export interface StoredNotice {
  id: string
  event: SecurityNotice
  to: Recipient
  language: ReturnType<typeof keptLanguage>
  userAgent: string
  place: { city: string | null; country: string | null }
  /** Milliseconds since 1970. */
  at: number
  link: { url: string; until: number } | null
  /** Of a challenge: the notice is sent only if no answer has followed. */
  challenged?: { userId: string; at: number }
}

const kind = 'security-notice'

function recipientOf(scope: Scope, user: User): Recipient | null {
  const { email: address, emailVerified: isProven, emailIsPlaceholder, name } = user
  if (isProven && !emailIsPlaceholder) return { address, name, isProven }
  const [number = null] = contributed(scope, 'userFacts', 'number').flatMap((numberOf) => numberOf(user) ?? [])
  if (number !== null) return { number }
  return emailIsPlaceholder ? null : { address, name: '', isProven: false }
}

/** Notifies the owner by a job of the same batch. @param when holds at this place of the batch; otherwise no notice is sent */
export function notify(
  scope: Scope,
  work: Work,
  event: SecurityNotice,
  user: User,
  when?: Condition,
  link?: NoticeLink,
): void {
  const notice = newNotice(scope, event, user, link)
  if (notice) work.defer(kind, notice, { when })
}

/**
 * Notifies the owner of a challenge that no code or factor has answered within its lifetime: by a job that looks for the
 * sign-in. @param row the event of the challenge
 */
export function notifyUnlessAnswered(
  scope: Scope,
  work: Work,
  { id, userId }: Pick<SecurityEventRow, 'id' | 'userId'>,
  user: User,
  delay: number,
): void {
  const notice = newNotice(scope, 'sign-in-challenged', user)
  if (!notice) return
  work.defer(kind, { ...notice, challenged: { userId, at: notice.at } }, { when: isRecorded(id), delay })
}

/** Null if the event, or the user, has none. */
function newNotice(scope: Scope, event: SecurityNotice, user: User, link?: NoticeLink): StoredNotice | null {
  const { enabled, except } = securityNoticeOptions.of(scope)
  const to = enabled && !except.includes(event) ? recipientOf(scope, user) : null
  if (!to) return null
  return {
    id: newId(),
    event,
    to,
    // An attacker may have sent the request: its language is not the owner's.
    language: keptLanguage(scope, user),
    userAgent: scope.request.userAgent,
    place: scope.request.place,
    at: scope.now().getTime(),
    link: link ? { url: link.url, until: link.until.getTime() } : null,
  }
}

/** What the mail links to; other events to the start of the page. A text message has no space for it. */
const partOf: Readonly<Partial<Record<SecurityNotice, SecurityPart>>> = {
  'sign-in-challenged': 'password',
  'password-set': 'password',
  'password-changed': 'password',
  'password-reset': 'password',
  'passkey-added': 'passkeys',
  'passkey-removed': 'passkeys',
  'provider-linked': 'accounts',
  'provider-unlinked': 'accounts',
  'two-factor-enabled': 'two-factor',
  'two-factor-disabled': 'two-factor',
  'backup-codes-created': 'two-factor',
}

async function sendNotice(scope: Scope, notice: StoredNotice): Promise<void> {
  const { id, event, to, language, at, link, challenged } = notice
  if (challenged && !(await isUnanswered(scope.db, { ...notice, ...challenged }))) return
  if ('number' in to) {
    const url = link?.url ?? pageFor(scope, 'security')
    const text = await noticeText(scope, language, { event, url })
    return sendNoticeText(scope, event, { to: to.number, text }, at)
  }
  const { address: email, name, isProven } = to
  const url = link?.url ?? securityPageFor(scope, partOf[event] ?? null)
  const mail = await noticeMail(
    scope,
    { email, name, language },
    {
      event,
      url,
      at: new Date(at),
      device: isProven ? await deviceInWords(notice.userAgent) : null,
      place: isProven ? placeInWords(notice.place, language) : null,
      revertsUntil: link && new Date(link.until),
    },
  )
  await sendMail(scope, { ...mail, id, madeAt: at })
}

async function deviceInWords(userAgent: string): Promise<string | null> {
  const described = await describeDevice(userAgent)
  return described && plainWords([described.browser, described.os].filter(Boolean).join(', '))
}

export const noticeJobs = { [kind]: { run: sendNotice } }
