/** The languages of the app, of mails and of text messages: each by its own name, and its direction of writing. */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  'zh-CN': { name: '简体中文', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const satisfies Record<string, { name: string; direction: 'ltr' | 'rtl' }>

/** BCP 47. */
export type Language = keyof typeof languages

export const defaultLanguage: Language = 'en'

const tags = Object.keys(languages) as Language[]
const primary = (tag: string) => tag.split('-')[0]!.toLowerCase()

/** The supported language of a tag: the same, else one with the same primary subtag (pt-PT: pt-BR). */
export const languageFor = (tag: string): Language | undefined =>
  tags.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
  tags.find((language) => primary(language) === primary(tag))

/**
 * The supported language that the client prefers (Accept-Language, RFC 9110, section 12.5.4): the highest quality, then
 * the first. `*`, or no supported language, is the default.
 */
export function languageOf(acceptLanguage: string | null): Language {
  let best: { language: Language; quality: number } = { language: defaultLanguage, quality: 0 }
  for (const part of (acceptLanguage ?? '').split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const language = range === '*' ? defaultLanguage : languageFor(range)
    const quality = qualityOf(parameters)
    if (language && quality > best.quality) best = { language, quality }
  }
  return best.language
}

/** The same, or undefined without a preference: the HTTP client of a server sends no header, or `*`. */
export const languageAsked = (acceptLanguage: string | null): Language | null =>
  /[a-z]/i.test(acceptLanguage ?? '') ? languageOf(acceptLanguage) : null

/**
 * A weight from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2); 1 without a weight, 0 for an invalid
 * one.
 */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0
}
