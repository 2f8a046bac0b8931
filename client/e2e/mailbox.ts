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

/**
 * The code or link of the newest message to an address that has one. All messages are then deleted.
 * @param path what the link contains, where the address gets several messages: an earlier one may be the newest yet
 */
export async function newest(
  server: TestServer,
  recipient: string,
  what: 'codes' | 'links',
  path = '',
): Promise<string> {
  const found = await fromMailbox(server, (messages) =>
    messages
      .filter(({ to }) => to === recipient)
      .flatMap((message) => message[what])
      .find((each) => each.includes(path)),
  )
  await server.clearMailbox()
  return found
}
