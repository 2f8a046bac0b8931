import { expect } from 'vitest'
import type { MailboxEntry } from '../../worker/platform/mailer/mailbox.ts'
import type { TestServer } from '../../worker/testing/server.ts'

/** What is read of the messages, newest first, as soon as it is there: mails leave after the answer that asks for them. */
export async function fromMailbox<T>(
  server: TestServer,
  read: (messages: MailboxEntry[]) => T | undefined,
): Promise<T> {
  let found: T | undefined
  await expect
    .poll(async () => {
      found = read(await server.mailbox())
      return found
    })
    .toBeTruthy()
  return found as T
}

/** The code or link of the newest message to somebody. All messages are then forgotten. */
export async function newest(server: TestServer, recipient: string, what: 'codes' | 'links'): Promise<string> {
  const found = await fromMailbox(server, (messages) => messages.find(({ to }) => to === recipient)?.[what][0])
  await server.clearMailbox()
  return found
}
