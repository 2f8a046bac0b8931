import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import type { Scope } from '../../identity/scope.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import type { ContentSources, Feature } from '../feature.ts'
import { askForScripts, screenAt } from './screens.ts'

/** What every page of the app may load; features that are on add their own sources. */
const own = {
  script: ["'self'"],
  style: ["'self'"],
  connect: ["'self'"],
  frame: [],
  // People's pictures may be anywhere.
  img: ["'self'", 'https:', 'data:'],
} satisfies Required<ContentSources>

/** The texts are those of the build and of the configuration, so each is hashed once an isolate. */
const hashes = new Map<string, string>()

/** The source that lets exactly this inline style or script be (CSP 3, section 2.3.1). */
function hashOf(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  hashes.set(text, hash)
  return hash
}

/** The hashes of what stands inline between plain tags of a name. */
const inline = (html: string, tag: 'script' | 'style'): string[] =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => hashOf(text!))

/** The app's Content Security Policy: nothing inline but what the page was made with, and only named sources. */
function policyOf(features: readonly Feature[], scope: Scope, html: string): string {
  const added = features.flatMap(({ contentSources }) => contentSources?.(scope) ?? [])
  const inPage: ContentSources = { script: inline(html, 'script'), style: inline(html, 'style') }
  const sources = (directive: keyof typeof own) =>
    [
      ...new Set([...own[directive], ...(inPage[directive] ?? []), ...added.flatMap((one) => one[directive] ?? [])]),
    ].join(' ') || "'none'"
  return [
    "default-src 'self'",
    `script-src ${sources('script')}`,
    `style-src ${sources('style')}`,
    `img-src ${sources('img')}`,
    "font-src 'self'",
    `connect-src ${sources('connect')}`,
    `frame-src ${sources('frame')}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** What is meant to be a file, such as a script of an earlier version, is not a screen. */
const isFile = (path: string) => path.startsWith('/assets/') || /\.[a-z0-9]+$/i.test(path)

/** What the page is made with, beside the file that the build left. */
export interface PageParts {
  features: readonly Feature[]
  /** GET /config, written into the page so that the app need not ask. */
  config: unknown
  /** The brand's style sheet. */
  style: string
  /** The screen as it is before any script has run, where there is one. */
  first: { html: string; style: string; title: string } | null
}

/** JSON as text of a script element, which ends at the first `</script` (HTML, section 4.12.1.3). */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * The answer to an address that neither the API nor a file has: the app's page, which is 404 where the app has no
 * such screen, and nothing but 404 for a file that is not there.
 */
export async function appPage(scope: Scope, path: string, partsOf: () => PageParts): Promise<Response> {
  if (isFile(path)) return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } })
  const file = await scope.env.ASSETS.fetch(new Request(new URL('/', scope.settings.baseUrl)))
  const { features, config, style, first } = partsOf()
  const screen = screenAt(path)
  const visit = { screen, hasSession: readSessionToken(scope) !== null, language: scope.language }
  // Replaced by functions, for in a replacement text `$` has a meaning.
  const styled = askForScripts(await file.text(), visit)
    .replace(
      /<link\s+rel="stylesheet" href="[^"]*brand\.css"[^>]*>/,
      () => `<style>${style}${first?.style ?? ''}</style>`,
    )
    .replace('<html lang="en">', () => `<html lang="${scope.language}">`)
  const policy = policyOf(features, scope, styled)
  const page = styled
    .replace('<div id="app"></div>', () =>
      [
        first ? `${first.html}<div id="app" hidden></div>` : '<div id="app"></div>',
        `<script id="config" type="application/json">${inScript(config)}</script>`,
      ].join(''),
    )
    .replace(/<title>.*?<\/title>/, (title) => (first ? String(html`<title>${first.title}</title>`) : title))
  const answer = new Response(page, {
    status: screen === null ? 404 : 200,
    headers: file.headers,
  })
  // It is another page for each language, and without a session.
  for (const name of ['etag', 'content-length']) answer.headers.delete(name)
  answer.headers.set('vary', 'accept-language, cookie')
  answer.headers.set('content-security-policy', policy)
  answer.headers.set('cache-control', 'no-cache')
  return answer
}
