import { expect } from 'vitest'
import type { MailboxEntry } from '../../worker/platform/mailer/mailbox.ts'
import type { TestServer } from '../../worker/testing/server.ts'

/** The messages, newest first, after they have arrived: mails are sent after the response. */
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

/** The code or link of the newest message to an address. All messages are then deleted. */
export async function newest(server: TestServer, recipient: string, what: 'codes' | 'links'): Promise<string> {
  const found = await fromMailbox(server, (messages) => messages.find(({ to }) => to === recipient)?.[what][0])
  await server.clearMailbox()
  return found
}
