import type { Hono } from 'hono'
import type { Env } from '../../platform/env.ts'
import { clearMailbox, readMailbox } from '../../platform/mailer/mailbox.ts'
import { mailboxPage } from '../../platform/mailer/mailbox-page.ts'
import { secure } from '../json-response.ts'
import { page } from './page.ts'

/** The local mailbox, newest first; in development only. */
// biome-ignore lint/suspicious/noExplicitAny: the pages do not use the types of the application
export function mountDevelopmentPages(hono: Hono<any>, env: Env): void {
  hono.get('/dev/mailbox', async () => secure(page(mailboxPage(await readMailbox(env.KV))), false))
  hono.get('/dev/mailbox.json', async () => secure(Response.json(await readMailbox(env.KV)), false))
  hono.delete('/dev/mailbox.json', async () => {
    await clearMailbox(env.KV)
    return secure(Response.json({ status: true }), false)
  })
}
