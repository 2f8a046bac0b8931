import { html, raw } from 'hono/html'
import { embeddedElements } from '../../kit/embedded-elements.ts'
import { directionOf, languages } from '../../kit/language.ts'

// /dev/components, in development: each component with its states, themes, widths and languages.

const choices = {
  component: Object.keys(embeddedElements),
  state: ['as it is', 'loading', 'unavailable'],
  theme: ['system', 'light', 'dark'],
  width: ['360', '768', '1280'],
  language: Object.keys(languages),
}
type Choice = Record<keyof typeof choices, string>

/** The first value in place of an unknown one. */
function chosen(query: URLSearchParams): Choice {
  const entries = Object.entries(choices).map(([name, values]) => {
    const value = query.get(name) ?? ''
    return [name, values.includes(value) ? value : values[0]!]
  })
  return Object.fromEntries(entries) as Choice
}

const style = `
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 1rem; background: light-dark(#fff, #121211); color: light-dark(#1c1c1a, #ededea); font: 16px/1.5 system-ui, sans-serif; }
  form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; margin-bottom: 1rem; }
  label { display: grid; } select, button { font: inherit; min-height: 2.5rem; }
  iframe { max-width: 100%; height: 50rem; border: 1px solid #888; }
`

/** A response of the API before the component asks: none, or an error. */
const states: Record<string, string> = {
  loading: 'window.fetch = () => new Promise(() => {})',
  unavailable: `window.fetch = async () => Response.json({ code: 'SERVICE_UNAVAILABLE' }, { status: 503 })`,
}

const policy = (more: string) =>
  `default-src 'none'; style-src 'self' https: 'unsafe-inline'; img-src 'self' https: data:; font-src 'self'; form-action 'self'; base-uri 'none'; ${more}`

const answer = (text: unknown, policyText: string): Response =>
  new Response(String(text), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyText,
      'x-frame-options': 'SAMEORIGIN',
    },
  })

/** The choices and a frame. The session is that of the browser: some components are empty without one. */
export function componentsPage(query: URLSearchParams): Response {
  const choice = chosen(query)
  const select = ([name, values]: [string, string[]]) => html`<label>${name}<select name="${name}">
    ${values.map((value) => html`<option ${value === choice[name as keyof Choice] ? 'selected' : ''}>${value}</option>`)}
  </select></label>`
  const src = `/dev/components/frame?${new URLSearchParams(choice)}`
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Components</title><style>${raw(style)}</style>
  </head>
  <body>
    <main>
      <h1>Components</h1>
      <form>${Object.entries(choices).map(select)}<button>Show</button></form>
      <iframe src="${src}" title="${choice.component}" width="${choice.width}"></iframe>
    </main>
  </body>
</html>`
  return answer(page, policy("frame-src 'self'; frame-ancestors 'none'"))
}

/** One component, as a page of a product shows it. */
export function componentFrame(query: URLSearchParams): Response {
  const { component, state, theme, language } = chosen(query)
  const nonce = crypto.randomUUID()
  const script = states[state]
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
  <head>
    <meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
    <title>${component}</title>
    <style>body { background: light-dark(#fff, #121211); color: light-dark(#1c1c1a, #ededea); font-family: system-ui, sans-serif }</style>
    ${script ? html`<script nonce="${nonce}">${raw(script)}</script>` : ''}
    <script type="module" src="/embed.js"></script>
  </head>
  <body>
    <main><h1>${component}</h1>${raw(`<gatehouse-${component} theme="${theme}" language="${language}"></gatehouse-${component}>`)}</main>
  </body>
</html>`
  // The policy of a product allows what its providers load, such as the script of One Tap.
  const more = `script-src 'self' https: 'nonce-${nonce}'; connect-src 'self' https:; frame-src https:; frame-ancestors 'self'`
  return answer(page, policy(more))
}
