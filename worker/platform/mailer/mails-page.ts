import { html } from 'hono/html'
import type { Letter } from './mail.ts'

// /dev/mails, in development: each mail in each language, as wide as a phone or a desk, in both themes.

const widths = ['700', '360']
const themes = ['light', 'dark']
const all = 'all'

const style = `
  body { margin: 0; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f7f7f5, #161615); color: light-dark(#1c1c1a, #ededea); }
  h1 { font-size: 1.25rem; margin: 0 0 1rem; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
  form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
  label { display: grid; } select, button { font: inherit; min-height: 2.5rem; }
  iframe { display: block; max-width: 100%; height: 46rem; border: 1px solid #888; }
  pre { max-width: 46rem; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  a { color: inherit; }
`

/** A mail as a client shows it whose theme is given, whatever that of this browser is. */
const inTheme = (mail: string, theme: string): string =>
  mail
    .replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all')
    .replace('color-scheme: light dark;', `color-scheme: ${theme};`)
    .replace('<meta name="color-scheme" content="light dark" />', `<meta name="color-scheme" content="${theme}" />`)

export interface MailsQuery {
  mail: string
  language: string
  width: string
  theme: string
}

/** What the page shows; the first value in place of an unknown one. */
export function mailsQuery(query: URLSearchParams, languages: readonly string[]): Omit<MailsQuery, 'mail'> {
  const one = (name: string, values: readonly string[]) => {
    const value = query.get(name) ?? ''
    return values.includes(value) ? value : values[0]!
  }
  return { language: one('language', languages), width: one('width', widths), theme: one('theme', themes) }
}

/** The page without scripts; the HTML of each mail stays in a sandbox. */
export function mailsPage(
  letters: Readonly<Record<string, Letter>>,
  languages: readonly string[],
  shown: MailsQuery,
): string {
  const names = [...Object.keys(letters), all]
  const mail = names.includes(shown.mail) ? shown.mail : names[0]!
  const { language, width, theme } = shown
  const choices = { mail: names, language: languages, width: widths, theme: themes }
  const chosen: Record<string, string> = { mail, language, width, theme }
  const select = ([name, values]: [string, readonly string[]]) => html`<label>${name}<select name="${name}">
        ${values.map((value) => html`<option ${value === chosen[name] ? 'selected' : ''}>${value}</option>`)}
      </select></label>`
  const preview = ([name, letter]: [string, Letter]) => html`
      <h2>${name}: <bdi lang="${language}">${letter.subject}</bdi></h2>
      <iframe sandbox srcdoc="${inTheme(letter.html, theme)}" title="${name}" width="${width}"></iframe>
      <details><summary>Text</summary><pre dir="auto" lang="${language}">${letter.text}</pre></details>`
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Mails</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
    <h1>Mails</h1>
    <form>${Object.entries(choices).map(select)}<button>Show</button></form>
    ${Object.entries(letters)
      .filter(([name]) => mail === all || name === mail)
      .map(preview)}
    </main>
  </body>
</html>`)
}
