import type { MailboxEntry } from './mailbox.ts'
export const mailboxPage = (e: MailboxEntry[]) => JSON.stringify(e)
