import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { type Brand, fontFile } from '../../kit/brand.ts'
import { darkFill } from '../../kit/contrast.ts'
import { directionOf } from '../../kit/language.ts'
import type { Themed } from '../../kit/looks.ts'
import { textsIn } from '../../languages/texts.ts'
import { pageTexts } from './error-page.texts.ts'
import { page } from './page.ts'

const both = ({ light, dark }: { light: string; dark: string }) => `light-dark(${light}, ${dark})`

const styleOf = (
  { accent, colours, theme, corners: [control, sheet] }: Brand,
  fill = { light: accent.light, dark: darkFill(accent.light) },
) => `
      :root { color-scheme: ${theme === 'system' ? 'light dark' : theme}; }
      * { box-sizing: border-box; }
      body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; align-items: center;
        padding: 2.25rem 1.25rem; font: 1rem/1.5 Page, system-ui, sans-serif; text-align: center; overflow-wrap: anywhere;
        background: ${both(colours.paper)}; color: ${both(colours.text)}; }
      header { display: flex; align-items: center; gap: .625rem; font-weight: 600; }
      header span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      header img { height: 28px; max-width: 10rem; flex: none; }
      .sheet { display: grid; justify-items: center; gap: 1rem; width: 100%; max-width: 25rem; margin-bottom: 2rem; }
      @media (min-width: 40rem) {
        .sheet { margin-top: max(0px, calc((100vh - 30rem) / 2)); padding: 2rem 2.25rem 2.25rem; border: 1px solid ${both(colours.border)};
          border-radius: ${sheet}px; background: ${both(colours.surface)}; }
      }
      main { width: 100%; }
      h1 { margin: 0 0 .375rem; font-size: 1.5rem; font-weight: 600; letter-spacing: -.025em; line-height: 1.3; text-wrap: balance; }
      p { margin: 0 0 1.5rem; }
      .button { display: block; padding: .625rem 1rem; border-radius: ${control}px; background: ${both(fill)}; color: #fff;
        font-weight: 600; text-align: center; text-decoration: none; }
      button.button { width: 100%; border: 0; font: inherit; font-weight: 600; cursor: pointer; }
      .button:hover { background: color-mix(in oklab, ${both(fill)} 90%, black); }
      :focus-visible { outline: 2px solid ${both(accent)}; outline-offset: 2px; }
      small, footer { font-size: .8125rem; color: ${both(colours.mutedText)}; }
      small { display: block; margin-top: 1rem; }
      footer { margin-top: auto; display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1rem; }
      footer a { color: inherit; }
    `

/** Browsers with a dark theme show the dark picture. */
const picture = ({ light, dark }: Themed) =>
  light === dark
    ? html`<img src="${light}" alt="" />`
    : html`<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)" /><img src="${light}" alt="" /></picture>`

/** The default logo, as in the app. */
const mark = ({ accent }: Brand) =>
  html`<svg aria-hidden="true" viewBox="0 0 32 32" width="28" height="28" style="fill: ${both(accent)}"><path d="M4 28V12L16 3l12 9v16h-8v-8a4 4 0 0 0-8 0v8z" /></svg>`

const icons = html`<link rel="icon" href="${basePath}/favicon" media="(prefers-color-scheme: light)" />
    <link rel="icon" href="${basePath}/favicon?theme=dark" media="(prefers-color-scheme: dark)" />`

/** Its address is serialized: no quote and no bracket is left that would end the rule. */
function fontFace({ font }: Brand): string {
  const base = 'https://gatehouse.invalid'
  const { href } = new URL(font ?? fontFile, base)
  return `@font-face { font-family: Page; font-weight: 100 900; src: url("${href.replace(base, '')}") format("woff2"); }`
}

/** Without characters that end a source or a directive (CSP 3, section 2.3). */
function fontsOf({ font }: Brand): string[] {
  if (font === null || !URL.canParse(font)) return []
  const { origin, pathname } = new URL(font)
  return [origin + pathname.replace(/[;,']/g, encodeURIComponent)]
}

const imagesOf = ({ logo, favicon }: Brand): string[] =>
  [logo, favicon].flatMap((images) => (images === null ? [] : [images.light, images.dark]))

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * A page with the brand, in the caller's language, that works without JavaScript.
 * @param opens an address at once @param sends it has a form that posts to our own origin
 */
export function plainPage(
  { shared: { brand }, language }: Pick<Scope, 'shared' | 'language'>,
  {
    title,
    main,
    status = 200,
    opens,
    sends = false,
  }: { title: string; main: Markup; status?: number; opens?: string; sends?: boolean },
): Response {
  const texts = textsIn(pageTexts, language, brand.texts)
  const links = (['terms', 'privacy', 'support'] as const).filter((link) => brand[link] !== null)
  const shown = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${opens && html`<meta http-equiv="refresh" content="0;url=${opens}" />`}
    <title>${title}</title>
    ${icons}
    <style>${raw(fontFace(brand))}${styleOf(brand)}</style>
  </head>
  <body>
    <div class="sheet">
    <header>${brand.logo === null ? mark(brand) : picture(brand.logo)}<span>${brand.name}</span></header>
    <main>
      <h1>${title}</h1>
      ${main}
    </main>
    </div>
    ${
      links.length > 0 &&
      html`<footer>${links.map((link) => html`<a href="${brand[link]}">${texts[link]}</a>`)}</footer>`
    }
  </body>
</html>`
  const answer = page(String(shown), status, imagesOf(brand), sends, false, fontsOf(brand))
  // With `no-referrer` the Origin of the form would be `null` (Fetch, section 3.2).
  if (sends) answer.headers.set('referrer-policy', 'same-origin')
  return answer
}
