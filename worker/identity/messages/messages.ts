import { TryLater } from '../../kit/errors.ts'
import { newId } from '../../kit/random.ts'
import { days, hours, minutes, ms, seconds } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { reasonOf } from '../../platform/log.ts'
import { isUndeliverable, type Mail, type UnmadeMail } from '../../platform/mailer/mail.ts'
import type { TextMessage, UnmadeText } from '../../platform/texter/text-message.ts'
import type { JobFacts } from '../model/job-kind.ts'
import type { Scope } from '../scope.ts'
import { nameByAddress, ownBrowser } from '../sessions/known-device.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { findUserByEmail } from '../users/users.store.ts'
import { messageOptions } from './messages.config.ts'

/**
 * Whether a budget allows one more message. If the counter is unreachable, it does: a lost mail is worse than an extra
 * one.
 */
async function admits(scope: Scope, budget: string, rule: CounterRule): Promise<boolean> {
  try {
    const { allowed } = await scope.io.uncounted.counters.hit(`message:${budget}`, rule)
    if (!allowed) scope.log('warn', 'message-budget-used-up')
    return allowed
  } catch (thrown) {
    scope.log('error', 'message-budget-unreachable', { reason: reasonOf(thrown) })
    return true
  }
}

/**
 * Prefix of the kinds of notices about a change of the recipient's own account, to which the budgets of requests do not
 * apply.
 */
export const securityNotice = 'security:'

/** Others can use up the mails of an address, but not those that its owner's own browser requests. */
async function mayMail(scope: Scope, { to, kind }: Pick<Mail, 'to' | 'kind'>): Promise<boolean> {
  const { mailsPerRecipient, mailsPerKind, noticesPerRecipient } = messageOptions.of(scope)
  const budget = `mail:${kind}:${to}`
  if (kind.startsWith(securityNotice)) return admits(scope, budget, noticesPerRecipient)
  // The kind comes first: a mail that it rejects uses nothing of the common budget.
  if ((await admits(scope, budget, mailsPerKind)) && (await admits(scope, `mail:${to}`, mailsPerRecipient))) return true
  const find = () => findUserByEmail(scope.db, to)
  // The reads of the browser's owner and the caller, which are not part of the endpoint's budget.
  scope.io.declare({ d1: 2 })
  const own = await ownBrowser(scope, nameByAddress(to), find, ({ email }) => email === to)
  return own !== null && admits(scope, `${budget}:${own}`, mailsPerRecipient)
}

const mayText = (scope: Scope, { to }: Pick<TextMessage, 'to'>) =>
  admits(scope, `text:${to}`, messageOptions.of(scope).textsPerNumber)

const mayTextToday = (scope: Scope) =>
  admits(scope, 'text', { max: messageOptions.of(scope).textsPerDay, window: days(1) })

/** The expiry of a message without its own. A transport that supports ids sends it once. */
const staleAfter = hours(23)

/**
 * Waits for a short pause (s) that the transport requests. @returns a longer one, which the job waits for; otherwise 0
 */
async function waitAfter(thrown: unknown): Promise<number> {
  const pause = thrown instanceof TryLater ? thrown.pause : 0
  if (pause > seconds(5)) return pause
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, ms(pause)))
  return 0
}

/**
 * Passes a mail to the transport, unless its link or code has expired or the recipient does not exist.
 * @throws if a retry may help
 */
async function deliver(scope: Scope, { id = newId(), madeAt = scope.now().getTime(), ...mail }: StoredMail) {
  const { kind, expiresAt = madeAt + ms(staleAfter), ...letter } = mail
  if (scope.now().getTime() > expiresAt) {
    const age = Math.floor((scope.now().getTime() - madeAt) / ms(hours(1)))
    return scope.log('error', 'mail-given-up', { kind, hours: age })
  }
  try {
    await scope.shared.sendMail({ id, ...letter })
  } catch (thrown) {
    if (!isUndeliverable(thrown)) throw thrown
    scope.log('error', 'mail-undeliverable', { kind, reason: reasonOf(thrown) })
  }
}

/** The form in a job. Mails of version 0.1 have no id and no time. */
type StoredMail = Omit<Mail, 'id' | 'madeAt'> & Partial<Pick<Mail, 'id' | 'madeAt'>> & { isAdmitted?: boolean }

/** Sends a mail within its budget. If the transport fails, a job sends it. */
export async function sendMail(scope: Scope, asked: Mail | UnmadeMail): Promise<void> {
  if (!(await mayMail(scope, asked))) return
  const mail = 'make' in asked ? await asked.make() : asked
  if (mail === null) return
  try {
    await deliver(scope, mail)
  } catch (thrown) {
    scope.log('error', 'mail-not-delivered', { reason: reasonOf(thrown) })
    const work = unitOfWork(scope)
    // Sends a mail.
    work.audit(null)
    work.defer('mail', { ...mail, isAdmitted: true }, { delay: await waitAfter(thrown) })
    await work.commit()
  }
}

/** The same for a text message, which is not sent later, because its code would be old. */
export async function sendText(scope: Scope, asked: TextMessage | UnmadeText): Promise<void> {
  if (!(await mayText(scope, asked))) return
  const message = 'make' in asked ? await asked.make() : asked
  if (message !== null && (await mayTextToday(scope))) await scope.shared.sendText(message)
}

/**
 * Sends a notice by text message. It has separate budgets, which codes cannot use up. An old notice is given up.
 * @param madeAt milliseconds since 1970
 * @throws if a retry may help
 */
export async function sendNoticeText(scope: Scope, event: string, message: TextMessage, madeAt: number): Promise<void> {
  const { noticesPerRecipient, textsPerDay: max } = messageOptions.of(scope)
  if (scope.now().getTime() - madeAt > ms(staleAfter)) return scope.log('error', 'notice-given-up', { kind: event })
  if (!(await admits(scope, `text:security:${event}:${message.to}`, noticesPerRecipient))) return
  if (await admits(scope, 'text:security', { max, window: days(1) })) await scope.shared.sendText(message)
}

/** The first attempt checks the budget, if that has not been done, and tries twice, because most failures are short. */
async function runMail(scope: Scope, { isAdmitted, ...mail }: StoredMail, { attempts }: JobFacts): Promise<void> {
  if (isAdmitted || attempts > 1) return deliver(scope, mail)
  if (!(await mayMail(scope, mail))) return
  try {
    await deliver(scope, mail)
  } catch (thrown) {
    if ((await waitAfter(thrown)) > 0) throw thrown
    await deliver(scope, mail)
  }
}

/** After an outage every mail is due at the next run, because a code is valid for five minutes. */
export const messageJobs = {
  mail: { run: runMail, parallel: 6, batchSize: 100, cost: 1, maxRest: minutes(5) },
}
