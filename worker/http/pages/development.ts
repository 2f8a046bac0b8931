import type { Hono } from 'hono'
import { type TextGroup, textProblems } from '../../kit/text-problems.ts'
import type { OwnTexts } from '../../kit/texts.ts'
import type { Env } from '../../platform/env.ts'
import { clearMailbox, readMailbox } from '../../platform/mailer/mailbox.ts'
import { mailboxPage } from '../../platform/mailer/mailbox-page.ts'
import { secure } from '../json-response.ts'
import { componentFrame, componentsPage } from './components-page.ts'
import { page } from './page.ts'

/** The texts of the app in English, from its build. */
const englishTexts = '/languages/en.json'

/** Unknown names and values in `brand.texts`: one line each. */
async function problemsOfTexts({ texts, baseUrl }: { texts: OwnTexts; baseUrl: string }, env: Env): Promise<string[]> {
  const english = (await (await env.ASSETS.fetch(new Request(new URL(englishTexts, baseUrl)))).json()) as TextGroup
  return Object.entries(texts).flatMap(([language, words]) =>
    textProblems(language, words as TextGroup, english, { partial: true }),
  )
}

/** The local mailbox, newest first, and the check of `brand.texts`; in development only. */
// biome-ignore lint/suspicious/noExplicitAny: the pages do not use the types of the application
export function mountDevelopmentPages(hono: Hono<any>, env: Env, own: { texts: OwnTexts; baseUrl: string }): void {
  hono.get('/dev/texts', async () => secure(Response.json({ problems: await problemsOfTexts(own, env) }), false))
  const query = (url: string) => new URL(url).searchParams
  hono.get('/dev/components', ({ req }) => secure(componentsPage(query(req.url)), false))
  hono.get('/dev/components/frame', ({ req }) => secure(componentFrame(query(req.url)), false))
  hono.get('/dev/mailbox', async () => secure(page(mailboxPage(await readMailbox(env.KV))), false))
  hono.get('/dev/mailbox.json', async () => secure(Response.json(await readMailbox(env.KV)), false))
  hono.delete('/dev/mailbox.json', async () => {
    await clearMailbox(env.KV)
    return secure(Response.json({ status: true }), false)
  })
}
