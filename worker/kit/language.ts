/** The complete languages of the app, of mails and of text messages, each by its own name. `brand.texts` adds more. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  ja: '日本語',
  'zh-CN': '简体中文',
  ar: 'العربية',
} as const

export type CompleteLanguage = keyof typeof languages

/** BCP 47: a complete language, or one of `brand.texts`. */
export type Language = string

export const defaultLanguage = 'en'

const complete = Object.keys(languages)
const primary = (tag: string) => tag.split('-')[0]!.toLowerCase()

/** Languages (ISO 639) that are written from right to left. */
const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

export const directionOf = (language: Language): 'ltr' | 'rtl' => (rightToLeft.has(primary(language)) ? 'rtl' : 'ltr')

/** The supported language of a tag: the same, else one with the same primary subtag (pt-PT: pt-BR). */
export const languageFor = (tag: string, supported: readonly Language[] = complete): Language | undefined =>
  supported.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
  supported.find((language) => primary(language) === primary(tag))

/**
 * The supported language that the client prefers (Accept-Language, RFC 9110, section 12.5.4): the highest quality, then
 * the first. `*`, or no supported language, is the default.
 */
export function languageOf(acceptLanguage: string | null, supported?: readonly Language[]): Language {
  let best: { language: Language; quality: number } = { language: defaultLanguage, quality: 0 }
  for (const part of (acceptLanguage ?? '').split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const language = range === '*' ? defaultLanguage : languageFor(range, supported)
    const quality = qualityOf(parameters)
    if (language && quality > best.quality) best = { language, quality }
  }
  return best.language
}

/** The same, or undefined without a preference: the HTTP client of a server sends no header, or `*`. */
export const languageAsked = (acceptLanguage: string | null, supported?: readonly Language[]): Language | null =>
  /[a-z]/i.test(acceptLanguage ?? '') ? languageOf(acceptLanguage, supported) : null

/**
 * A weight from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2); 1 without a weight, 0 for an invalid
 * one.
 */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0
}
