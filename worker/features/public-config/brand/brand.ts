import type { Scope } from '../../../identity/scope.ts'
import type { Settings } from '../../../identity/settings.ts'
import type { Brand } from '../../../kit/brand.ts'
import { type ElementName, rulesOf } from '../../../kit/elements.ts'
import { type Language, languages } from '../../../kit/language.ts'
import { corners, derivedColours, looks, type Themed } from '../../../kit/looks.ts'
import type { Words } from '../../../kit/texts.ts'
import { isRelativePath, resolve } from '../../../kit/urls.ts'
import { brandOptions } from './brand.config.ts'
import type { PublicConfiguration } from './brand.contract.ts'
import { colouredBrand } from './brand-look.ts'
import { slotStyle } from './slots.ts'

type Options = ReturnType<typeof brandOptions.of>

/** The appearance for client/ui/theme.css and the signed-out screens. The page contains it before it is painted. */
export function brandStyle(scope: Pick<Scope, 'options'>): string {
  const options = brandOptions.of(scope)
  const look = colouredBrand(options)
  return [
    colours(look, options),
    shape(look),
    font(options),
    background(options),
    logo(options),
    slotStyle(options.slots),
    rulesOf(look.elements, selectorOf),
  ].join('')
}

const both = ({ light, dark }: Themed) => `light-dark(${light}, ${dark})`

/** The custom properties of client/ui/theme.css, by color. */
const properties = {
  paper: 'paper',
  surface: 'surface',
  sunken: 'sunken',
  text: 'ink',
  mutedText: 'soft',
  border: 'line',
  inputBorder: 'edge',
} as const

/** The accent in both themes, and the other colours where they are not those of the style sheet. */
function colours({ colours }: ReturnType<typeof colouredBrand>, { accent: chosen }: Options): string {
  const { light, dark } = colours.accent
  const { fill, wash } = derivedColours(colours)
  const stronger = (colour: string, towards: string) => `color-mix(in oklab, ${colour} 85%, ${towards})`
  const changed = Object.entries(properties).filter(
    ([name]) => both(colours[name as keyof typeof properties]) !== both(plain[name as keyof typeof properties]),
  )
  const own = changed.map(
    ([name, property]) => `  --brand-${property}: ${both(colours[name as keyof typeof properties])};\n`,
  )
  if (own.length > 0 || chosen.light !== null || chosen.dark !== null) own.push(`  --brand-wash: ${both(wash)};\n`)
  return `:root {
  --brand-accent: ${both(colours.accent)};
  --brand-accent-strong: light-dark(${stronger(light, 'black')}, ${stronger(dark, 'white')});
  --brand-fill: ${both(fill)};
  --brand-fill-strong: light-dark(${stronger(light, 'black')}, color-mix(in oklab, ${fill.dark} 94%, black));
${own.join('')}}
`
}

const plain = looks.plain.colours

const shape = ({ corners: [control, sheet] }: ReturnType<typeof colouredBrand>): string =>
  control === 8 ? '' : `:root { --brand-radius: ${control}px; --brand-radius-lg: ${sheet}px; }\n`

/** Outside of the layers of the app's style sheet, and so above its rules. */
const selectorOf = (name: ElementName) => (name === 'root' ? ':root' : `:root .${name}`)

/** An address in a style sheet: URL serialization leaves no quote, bracket or line break unescaped. */
const inCss = (address: string): string => {
  const base = 'https://gatehouse.invalid'
  const { href, origin, pathname, search } = new URL(address, base)
  return `url("${origin === base ? pathname + search : href}")`
}

// `optional`: a font that arrives after the first paint would move the text.
const font = ({ font: address }: Options): string =>
  address === null
    ? ''
    : `@font-face { font-family: "Brand"; src: ${inCss(address)} format("woff2"); font-weight: 400 700; font-display: optional; }
:root { --brand-font: "Brand"; }
`

/** The font may be loaded from exactly its address; a path of ours is allowed anyway. */
export function fontSource(scope: Pick<Scope, 'options'>): { font?: string[] } {
  const { font: address } = brandOptions.of(scope)
  if (address === null || isRelativePath(address)) return {}
  const { origin, pathname } = new URL(address)
  // Characters that end a source or a directive (CSP 3, section 2.3).
  return { font: [origin + pathname.replace(/[;,']/g, encodeURIComponent)] }
}

/** In place of a picture: the colours of buttons. */
const ownPicture = 'linear-gradient(160deg, var(--color-accent-fill), var(--color-accent-fill-strong))'

/**
 * A colour or a picture behind the signed-out screens. Their sheet and footer get a surface at every width, so that no text
 * lies on it.
 */
function background({ background: { color, picture, layout } }: Options): string {
  if (color === null && picture === null && layout === 'page') return ''
  const colours =
    typeof color === 'string' ? `light-dark(${color}, ${color})` : color && `light-dark(${color.light}, ${color.dark})`
  const images = typeof picture === 'string' ? { light: picture, dark: picture } : picture
  const behind = `content: ""; position: fixed; inset-block: 0; inset-inline: 0; z-index: -1; ${
    colours ? `background-color: ${colours}; ` : images ? '' : `background: ${ownPicture}; `
  }${images ? `background-image: ${inCss(images.light)}; background-size: cover; background-position: center; ` : ''}`
  const byNight =
    images && images.light !== images.dark
      ? `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) .visitor::before { background-image: ${inCss(images.dark)}; } }
:root[data-theme="dark"] .visitor::before { background-image: ${inCss(images.dark)}; }
:root[data-theme="light"] .visitor::before { background-image: ${inCss(images.light)}; }
`
      : ''
  if (layout === 'split') {
    return `@media (min-width: 64rem) {
.visitor { width: 50%; max-width: none; margin-inline: 0; padding-inline: max(1rem, calc(25vw - 13.5rem)); }
.visitor::before { ${behind}inset-inline-start: 50%; }
}
${byNight}`
  }
  return `.visitor::before { ${behind}}
${byNight}.visitor > main { border: 1px solid var(--color-line); border-radius: var(--radius-lg); background: var(--color-surface); margin-block-end: 1.5rem; }
@media (max-width: 39.99rem) { .visitor > main { padding: 1.5rem 1.25rem; } }
.visitor > footer { align-self: center; padding: 0.75rem 1.25rem; border-radius: var(--radius-lg);
background: var(--color-surface); }
`
}

const logo = ({ logoPosition }: Options): string =>
  logoPosition === 'center'
    ? ''
    : `.visitor-brand { justify-content: flex-start; }
.sheet-head { text-align: start; }
`

/** Returns the URL of the favicon. The app uses a redirect to it, so that a change needs no new build. */
export const faviconOf = ({ shared: { brand } }: Pick<Scope, 'shared'>, theme: 'light' | 'dark' = 'light'): string =>
  brand.favicon?.[theme] ?? '/favicon.svg'

/** The texts of the configuration for the screens, without those of mails. */
export function screenTexts({ shared: { brand } }: Pick<Scope, 'shared'>, language: Language): Words {
  const texts = Object.hasOwn(brand.texts, language) ? brand.texts[language]! : {}
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !name.startsWith('mail/')))
}

/** The same for a page, in its language; null without texts in any language. */
export function ownPageTexts(scope: Pick<Scope, 'shared' | 'language'>) {
  const own = Object.keys(scope.shared.brand.texts)
  if (own.length === 0) return null
  return { languages: own, language: scope.language, words: screenTexts(scope, scope.language) }
}

/** Returns the part of GET /config for the screens. */
export function publicBrand(scope: Scope): PublicConfiguration {
  const options = brandOptions.of(scope)
  const { logo, terms, privacy, support, providerMarks, ways, themeSwitch, languageSwitch } = options
  const look = ownLook(options)
  return { brand: { look, logo, terms, privacy, support, providerMarks, ways, themeSwitch, languageSwitch } }
}

/** Null if it is that of the look plain, which the style sheet of the components has. */
function ownLook(options: Options): PublicConfiguration['brand']['look'] {
  const { colours: colors, corners: own, elements } = colouredBrand(options)
  const unchanged = [plain, corners[looks.plain.radius], looks.plain.elements]
  if (JSON.stringify([colors, own, elements]) === JSON.stringify(unchanged)) return null
  return { colors, corners: { control: own[0], sheet: own[1] }, elements }
}

/**
 * The brand for mails and pages without scripts. A mail is read at any origin, so a path of ours becomes an absolute
 * address.
 */
export function brandOf({ appName, baseUrl }: Settings, options: Scope['options']): Brand {
  const own = brandOptions.of({ options })
  const { logo, favicon, terms, privacy, support, theme, themeSwitch, font, texts } = own
  const { colours, corners } = colouredBrand(own)
  const absolute = (address: string | null) => address && new URL(address, baseUrl).href
  const inBoth = (picture: string | Themed | null): Themed | null => {
    if (picture === null) return null
    const { light, dark } = typeof picture === 'string' ? { light: picture, dark: picture } : picture
    return { light: resolve(light, baseUrl), dark: resolve(dark, baseUrl) }
  }
  return {
    name: appName,
    logo: inBoth(logo),
    favicon: inBoth(favicon),
    accent: colours.accent,
    colours,
    theme,
    themeIsFixed: !themeSwitch,
    corners,
    font,
    terms: absolute(terms),
    privacy: absolute(privacy),
    support: absolute(support),
    texts,
    languages: [...new Set([...Object.keys(languages), ...Object.keys(texts)])],
  }
}
