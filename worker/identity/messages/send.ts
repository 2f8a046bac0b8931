import type { Mail, UnmadeMail } from '../../platform/mailer/mail.ts'
import type { TextMessage, UnmadeText } from '../../platform/texter/text-message.ts'
import type { Scope } from '../scope.ts'

const messages = () => import('./messages.ts')

/** Work whose duration must not show in the response. In development the response waits for it, for tests. */
export async function inBackground(scope: Scope, work: () => Promise<void>): Promise<void> {
  const done = Promise.resolve().then(work)
  scope.after(done)
  if (scope.settings.environment === 'development') await done.catch(() => {})
}

/** Sends a mail. The response does not wait for it, and its duration does not reveal whether a mail was sent. */
export const sendMailAfter = (scope: Scope, mail: Mail | UnmadeMail): Promise<void> =>
  inBackground(scope, async () => (await messages()).sendMail(scope, mail))

export const sendTextAfter = (scope: Scope, message: TextMessage | UnmadeText): Promise<void> =>
  inBackground(scope, async () => (await messages()).sendText(scope, message))
