import type { Hono } from 'hono'
import type { Language } from '../../kit/language.ts'
import { type TextGroup, textProblems } from '../../kit/text-problems.ts'
import type { OwnTexts } from '../../kit/texts.ts'
import type { Env } from '../../platform/env.ts'
import type { Letter } from '../../platform/mailer/mail.ts'
import { clearMailbox, readMailbox } from '../../platform/mailer/mailbox.ts'
import { mailboxPage } from '../../platform/mailer/mailbox-page.ts'
import { type MailsQuery, mailsPage, mailsQuery } from '../../platform/mailer/mails-page.ts'
import { secure } from '../json-response.ts'
import { componentFrame, componentsPage } from './components-page.ts'
import { developmentPage } from './development-page.ts'
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

/** The deployment's own: its texts, its brand's logos, and one mail of every kind. */
interface Own {
  texts: OwnTexts
  baseUrl: string
  images: readonly string[]
  languages: readonly Language[]
  mails(language: Language): Promise<Readonly<Record<string, Letter>>>
}

/** The local mailbox, newest first, the previews of all mails, and the check of `brand.texts`; in development only. */
// biome-ignore lint/suspicious/noExplicitAny: the pages do not use the types of the application
export function mountDevelopmentPages(hono: Hono<any>, env: Env, own: Own): void {
  for (const path of ['/dev', '/dev/'])
    hono.get(path, async () => {
      const docs = await env.ASSETS.fetch(new URL('/docs/', own.baseUrl), { method: 'HEAD' })
      return secure(page(developmentPage(docs.ok)), false)
    })
  hono.get('/dev/texts', async () => secure(Response.json({ problems: await problemsOfTexts(own, env) }), false))
  const query = (url: string) => new URL(url).searchParams
  hono.get('/dev/components', ({ req }) => secure(componentsPage(query(req.url)), false))
  hono.get('/dev/components/frame', ({ req }) => secure(componentFrame(query(req.url)), false))
  hono.get('/dev/mails', async ({ req }) => {
    const asked = query(req.url)
    const shown = mailsQuery(asked, own.languages)
    const letters = await own.mails(shown.language as Language)
    const chosen: MailsQuery = { ...shown, mail: asked.get('mail') ?? '' }
    return secure(page(mailsPage(letters, own.languages, chosen), 200, own.images, true), false)
  })
  hono.get('/dev/mailbox', async () => secure(page(mailboxPage(await readMailbox(env.KV))), false))
  hono.get('/dev/mailbox.json', async () => secure(Response.json(await readMailbox(env.KV)), false))
  hono.delete('/dev/mailbox.json', async () => {
    await clearMailbox(env.KV)
    return secure(Response.json({ status: true }), false)
  })
}
