import type { Hono } from 'hono'
import type { Env } from '../../platform/env.ts'
import { clearMailbox, readMailbox } from '../../platform/mailer/mailbox.ts'
import { mailboxPage } from '../../platform/mailer/mailbox-page.ts'
import { secure } from '../answer.ts'
import { page } from './page.ts'

/** The local mailbox, newest first. Mounted in development only; elsewhere these paths are not found. */
// biome-ignore lint/suspicious/noExplicitAny: the pages need nothing of the application's own types
export function mountDevelopmentPages(hono: Hono<any>, env: Env): void {
  hono.get('/dev/mailbox', async () => secure(page(mailboxPage(await readMailbox(env.KV))), false))
  hono.get('/dev/mailbox.json', async () => secure(Response.json(await readMailbox(env.KV)), false))
  hono.delete('/dev/mailbox.json', async () => {
    await clearMailbox(env.KV)
    return secure(Response.json({ status: true }), false)
  })
}
