import { html } from 'hono/html'
import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { type Brand, greys, type Themed } from '../../kit/brand.ts'
import { errorWords, type KnownCode, normalCode } from './error-page.texts.ts'
import { page } from './page.ts'

/** Anything but a plain code is somebody's attempt to make this page say something. */
const plainCode = /^[A-Za-z0-9_']{1,64}$/

const both = ({ light, dark }: { light: string; dark: string }) => `light-dark(${light}, ${dark})`

const styleOf = ({ accent }: Brand) => `
      :root { color-scheme: light dark; }
      * { box-sizing: border-box; }
      body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; align-content: center; justify-items: center;
        gap: 1.25rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
        background: ${both(greys.paper)}; color: ${both(greys.ink)}; }
      header { display: flex; align-items: center; gap: .625rem; font-weight: 600; }
      header img { height: 28px; max-width: 10rem; flex: none; }
      main { width: 100%; max-width: 26rem; padding: 2rem; border: 1px solid ${both(greys.line)}; border-radius: 14px;
        background: ${both(greys.surface)}; }
      @media (max-width: 30rem) { main { padding: 1.5rem 1.25rem; } }
      h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
      p { margin: 0 0 1.5rem; }
      .button { display: block; padding: .625rem 1rem; border-radius: 8px; background: ${accent.light}; color: #fff;
        font-weight: 600; text-align: center; text-decoration: none; }
      .button:hover { background: color-mix(in oklab, ${accent.light} 85%, black); }
      :focus-visible { outline: 2px solid ${both(accent)}; outline-offset: 2px; }
      small, footer { font-size: .8125rem; color: ${both(greys.soft)}; }
      small { display: block; margin-top: 1rem; }
      footer { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1rem; }
      footer a { color: inherit; }
    `

/** The one for the dark theme is shown by browsers that are dark. */
const picture = ({ light, dark }: Themed) =>
  light === dark
    ? html`<img src="${light}" alt="" />`
    : html`<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)" /><img src="${light}" alt="" /></picture>`

/** What the app shows where a product has no logo of its own. */
const mark = ({ accent }: Brand) =>
  html`<svg aria-hidden="true" viewBox="0 0 32 32" width="24" height="24" style="fill: ${both(accent)}"><path d="M4 28V12L16 3l12 9v16h-8v-8a4 4 0 0 0-8 0v8z" /></svg>`

const icons = html`<link rel="icon" href="${basePath}/favicon" media="(prefers-color-scheme: light)" />
    <link rel="icon" href="${basePath}/favicon?theme=dark" media="(prefers-color-scheme: dark)" />`

const imagesOf = ({ logo, favicon }: Brand): string[] =>
  [logo, favicon].flatMap((images) => (images === null ? [] : [images.light, images.dark]))

/** The page that says what went wrong, in the caller's language; it works without JavaScript. */
export function errorPage({ brand, language }: Pick<Scope, 'brand' | 'language'>, error = '', status = 200): Response {
  const { title, sentences, unknown, back, code: codeLabel, ...footer } = errorWords[language]
  const code = plainCode.test(error) ? error : 'Unknown'
  const normal = normalCode(code)
  const sentence = Object.hasOwn(sentences, normal) ? sentences[normal as KnownCode] : unknown
  const links = (['terms', 'privacy', 'support'] as const).filter((link) => brand[link] !== null)
  const shown = html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${icons}
    <style>${styleOf(brand)}</style>
  </head>
  <body>
    <header>${brand.logo === null ? mark(brand) : picture(brand.logo)}<span>${brand.name}</span></header>
    <main>
      <h1>${title}</h1>
      <p>${sentence}</p>
      <a class="button" href="/">${back}</a>
      <small>${codeLabel}: <code>${code}</code></small>
    </main>
    ${
      links.length > 0 &&
      html`<footer>${links.map((link) => html`<a href="${brand[link]}">${footer[link]}</a>`)}</footer>`
    }
  </body>
</html>`
  return page(String(shown), status, imagesOf(brand))
}
