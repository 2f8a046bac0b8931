import { createHash } from 'node:crypto'
import type { ContentSources } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { BoundedMap } from '../../kit/bounded-map.ts'
import type { Brand } from '../../kit/brand.ts'
import type { FirstScreen } from '../../kit/first-screen.ts'
import type { KnownAccount } from '../../kit/known-account.ts'
import { directionOf } from '../../kit/language.ts'
import { ModulePreloads, screenAt, type Visit } from './screens.ts'

/** The sources that each page of the app may load; features add their own. */
const own = {
  script: ["'self'"],
  style: ["'self'"],
  connect: ["'self'"],
  frame: [],
  // The image of a user may have any address.
  img: ["'self'", 'https:', 'data:'],
  font: ["'self'"],
} satisfies Required<ContentSources>

/** Inline texts come from the build and the configuration, so each is hashed once an isolate. */
const hashes = new BoundedMap<string, string>(200)

/** The source that allows exactly this inline style or script (CSP 3, section 2.3.1). */
function hashOf(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  hashes.set(text, hash)
  return hash
}

/** Collects the texts of elements without attributes. */
class InlineTexts implements HTMLRewriterElementContentHandlers {
  readonly texts: string[] = []
  #isInline = false
  element({ attributes }: Element): void {
    this.#isInline = [...attributes].length === 0
    if (this.#isInline) this.texts.push('')
  }
  text({ text }: Text): void {
    if (this.#isInline) this.texts[this.texts.length - 1] += text
  }
}

/** The inline scripts and styles of a page. */
type Inline = Record<'script' | 'style', readonly string[]>

/** The app's Content Security Policy: the inline texts of the page, our own files and the sources of features. */
function policyOf({ preview }: PageParts, scope: Scope, inline: Inline): string {
  const added = scope.lifecycle.registry('contentSources').map((sourcesOf) => sourcesOf(scope))
  if (preview) added.push({ frame: ["'self'"] })
  const inPage: ContentSources = { script: inline.script.map(hashOf), style: inline.style.map(hashOf) }
  const sources = (directive: keyof typeof own) =>
    [
      ...new Set([...own[directive], ...(inPage[directive] ?? []), ...added.flatMap((one) => one[directive] ?? [])]),
    ].join(' ') || "'none'"
  return [
    "default-src 'self'",
    `script-src ${sources('script')}`,
    `style-src ${sources('style')}`,
    `img-src ${sources('img')}`,
    `font-src ${sources('font')}`,
    `connect-src ${sources('connect')}`,
    `frame-src ${sources('frame')}`,
    "object-src 'none'",
    `frame-ancestors ${preview ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** The path of a file, such as a script of an earlier version, is not a screen. */
const isFile = (path: string) => path.startsWith('/assets/') || /\.[a-z0-9]+$/i.test(path)

/** The parts of a page in addition to the file of the build. */
export interface PageParts {
  /** The result of GET /config, written into the page, so that the app does not request it. */
  config: unknown
  /** The texts of the configuration in the language of the page; null without any. */
  texts: unknown
  /** The brand's style sheet. */
  style: string
  /** Elements before and after the app. */
  beside?: { before: string; after: string } | null
  /** The page shows screens in frames, or is shown in one of ours (/dev/brand). */
  preview?: boolean
  /** The accounts that have signed in with this browser. */
  known: readonly KnownAccount[]
  /** The screen as it is before a script has run. */
  first: FirstScreen | null
}

/** JSON as text of a script element, which ends at the first `</script` (HTML, section 4.12.1.3). */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const asHtml = { html: true }

/** As the app's own request, so that the browser uses the answer for it (HTML, link type "preload"). */
const preloadOf = (address: string) => `<link rel="preload" href="${address}" as="fetch" crossorigin="use-credentials">`

/** The page of the build with the parts of this request. */
async function assemble(
  file: Response,
  { config, texts, style, beside, first, known }: PageParts,
  brand: Brand,
  visit: Visit,
): Promise<{ html: string; inline: Inline }> {
  const [scripts, styles] = [new InlineTexts(), new InlineTexts()]
  const rewriter = new HTMLRewriter()
    .on('html', {
      element(root) {
        root.setAttribute('lang', visit.language)
        root.setAttribute('dir', directionOf(visit.language))
        if (first) root.setAttribute('data-prerendered', visit.language)
        if (visit.hasSession) root.setAttribute('data-session', '')
        if (brand.theme !== 'system') root.setAttribute('data-theme', brand.theme)
        if (brand.themeIsFixed) root.setAttribute('data-fixed-theme', '')
      },
    })
    .on('link[rel="preload"][as="font"]', {
      element: (link) => void (brand.font && link.setAttribute('href', brand.font)),
    })
    .on('title', { element: (title) => void (first && title.setInnerContent(first.title, asHtml)) })
    .on('link[rel="stylesheet"][href$="brand.css"]', {
      element: (link) => void link.replace(`<style>${style}</style>`, asHtml),
    })
    .on('link[rel="preload"][href="/api/auth/get-session"]', {
      element(link) {
        // The browser asks for them while it loads the scripts.
        for (const address of first?.requests ?? []) link.after(preloadOf(address), asHtml)
      },
    })
    .on('script#scripts', new ModulePreloads(visit))
    .on('script', scripts)
    .on('style', styles)
    .on('div#app', {
      element(app) {
        if (first) app.setInnerContent(first.html, asHtml)
        if (beside) app.before(beside.before, asHtml).after(beside.after, asHtml)
        const accounts = known.length > 0 ? known : null
        for (const [id, value] of Object.entries({ config, texts, frame: first?.frame, known: accounts }))
          if (value) app.after(`<script id="${id}" type="application/json">${inScript(value)}</script>`, asHtml)
      },
    })
  const html = await rewriter.transform(file).text()
  return { html, inline: { script: scripts.texts, style: [style, ...styles.texts] } }
}

/** The app's page for an address that is neither the API nor a file; 404 without a page for a missing file. */
export async function appPage(scope: Scope, path: string, partsOf: () => Promise<PageParts>): Promise<Response> {
  if (isFile(path)) return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } })
  const file = await scope.env.ASSETS.fetch(new Request(new URL('/', scope.settings.baseUrl)))
  const parts = await partsOf()
  const screen = screenAt(path)
  const visit = { screen, hasSession: readSessionToken(scope) !== null, language: scope.language }
  const { html, inline } = await assemble(file, parts, scope.shared.brand, visit)
  const answer = new Response(html, { status: screen === null ? 404 : 200, headers: file.headers })
  // The page depends on the language and on whether there is a session.
  for (const name of ['etag', 'content-length']) answer.headers.delete(name)
  answer.headers.set('vary', 'accept-language, cookie')
  answer.headers.set('content-security-policy', policyOf(parts, scope, inline))
  // A page with accounts is for the user in front of the browser, and a copy of it must not outlive their removal.
  answer.headers.set('cache-control', parts.known.length > 0 ? 'private, no-store' : 'no-cache')
  return answer
}
