import { TryLater } from '../../kit/errors.ts'
import { defineOptions } from '../../kit/options.ts'
import { newId } from '../../kit/random.ts'
import { days, hours, minutes, ms, seconds } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import { reasonOf } from '../../platform/log.ts'
import { isUndeliverable, type Mail, type UnmadeMail } from '../../platform/mailer/mail.ts'
import { type Condition, runBatch } from '../../platform/statements.ts'
import type { TextMessage, UnmadeText } from '../../platform/texter/text-message.ts'
import type { Scope } from '../scope.ts'
import { nameByAddress, ownBrowser } from '../sessions/known-device.ts'
import { restingTask, taskStatements } from '../tasks/tasks.ts'
import { findUserByEmail } from '../users/users.store.ts'

/**
 * Mails and text messages on their way out. Nobody's mailbox or telephone can be flooded through us, from whatever
 * addresses, and one kind of message never uses up the budget of another.
 */
export const messageOptions = defineOptions('messages', {
  /** Mails to one recipient, of one kind; and as many again that the recipient's own browsers ask for. */
  mailsPerRecipient: { max: 30, window: hours(1) },
  /** Changes of address that one person begins: each may mail somebody whom they name. */
  addressChangesPerPerson: { max: 20, window: hours(1) },
  /** Texts to one number. */
  textsPerNumber: { max: 10, window: minutes(15) },
  /** Texts of the whole deployment. */
  textsPerDay: 1000,
})

/** Whether a budget allows one more message. If it cannot be asked, the message goes out: a lost mail is worse than one too many. */
async function admits(scope: Scope, budget: string, rule: CounterRule): Promise<boolean> {
  try {
    const { allowed } = await scope.uncounted.counters.hit(`message:${budget}`, rule)
    if (!allowed) scope.log('warn', 'message-budget-used-up')
    return allowed
  } catch (thrown) {
    scope.log('error', 'message-budget-unreachable', { reason: reasonOf(thrown) })
    return true
  }
}

/** Strangers who use up the mails of an address leave those that its owner's own browser asks for. */
async function mayMail(scope: Scope, { to, kind }: Pick<Mail, 'to' | 'kind'>): Promise<boolean> {
  const { mailsPerRecipient: rule } = messageOptions.of(scope)
  const budget = `mail:${kind}:${to}`
  if (await admits(scope, budget, rule)) return true
  const find = () => findUserByEmail(scope.db, to)
  // The browser's owner is read for that, and who is calling: no part of what an answer costs as a rule.
  scope.allowed.d1 += 2
  const own = await ownBrowser(scope, nameByAddress(to), find, ({ email }) => email === to)
  return own !== null && admits(scope, `${budget}:${own}`, rule)
}

const mayText = (scope: Scope, { to }: Pick<TextMessage, 'to'>) =>
  admits(scope, `text:${to}`, messageOptions.of(scope).textsPerNumber)

const mayTextToday = (scope: Scope) =>
  admits(scope, 'text', { max: messageOptions.of(scope).textsPerDay, window: days(1) })

/** After this time a mail is of no use: its link or code is too old. Within it, a transport that can tell sends it once. */
const staleAfter = hours(23)

/** Hands a mail to the transport, unless nothing can come of it. @throws when it is worth another try */
async function deliver(scope: Scope, { id = newId(), madeAt = scope.now().getTime(), ...mail }: StoredMail) {
  const age = scope.now().getTime() - madeAt
  if (age > ms(staleAfter))
    return scope.log('error', 'mail-given-up', { kind: mail.kind, hours: Math.floor(age / ms(hours(1))) })
  try {
    await scope.transports.sendMail({ id, ...mail })
  } catch (thrown) {
    if (!isUndeliverable(thrown)) throw thrown
    scope.log('error', 'mail-undeliverable', { kind: mail.kind, reason: reasonOf(thrown) })
  }
}

/** As a task holds it: one that was written by an earlier version has no id. */
type StoredMail = Omit<Mail, 'id' | 'madeAt'> & Partial<Pick<Mail, 'id' | 'madeAt'>>

/** A pause (s) that is waited for; a longer one is the cron trigger's. */
const shortPause = seconds(5)

/**
 * Sends a mail that passes its budget. When the transport fails it is written down, and tried again: at once or after a
 * short pause, and then by the cron trigger.
 */
export async function sendMail(scope: Scope, asked: Mail | UnmadeMail): Promise<void> {
  if (!(await mayMail(scope, asked))) return
  const mail = 'make' in asked ? await asked.make() : asked
  if (mail === null) return
  try {
    await deliver(scope, mail)
  } catch (thrown) {
    scope.log('error', 'mail-not-delivered', { reason: reasonOf(thrown) })
    const pause = thrown instanceof TryLater ? thrown.pause : 0
    if (pause > shortPause) return void (await runBatch(scope.db, await restingTask(scope, 'mail', mail, pause)))
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, ms(pause)))
    await runBatch(scope.db, await taskStatements(scope, 'mail', mail))
  }
}

/** The same for a text message, which is not tried again: its code would be old. */
export async function sendText(scope: Scope, asked: TextMessage | UnmadeText): Promise<void> {
  if (!(await mayText(scope, asked))) return
  const message = 'make' in asked ? await asked.make() : asked
  if (message !== null && (await mayTextToday(scope))) await scope.transports.sendText(message)
}

/** For a batch: a mail that must not be lost once the batch is written. */
export const mailStatements = (scope: Scope, mail: Mail, when?: Condition) =>
  taskStatements(scope, 'new-mail', mail, when)

/** The tasks of this file, see identity/lifecycle.ts. */
export const messageTasks = {
  'new-mail': sendMail,
  /** One that has passed its budget. */
  mail: deliver,
}
