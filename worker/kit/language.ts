/** The languages that mails, text messages and pages without script are written in; the first is the default. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** Something in every language: one that is missing is a type error. */
export type InEachLanguage<T> = Readonly<Record<Language, T>>

const isLanguage = (tag: string): tag is Language => (languages as readonly string[]).includes(tag)

/**
 * The language of ours that somebody likes best: of the ranges in Accept-Language (RFC 9110, section 12.5.4) the one
 * with the highest quality, among equals the first. A range is taken by its primary subtag, `de-CH` for `de`; `*` asks
 * for the default, and so does who names none of ours.
 */
export function languageOf(acceptLanguage: string | null): Language {
  let best: { language: Language; quality: number } = { language: languages[0], quality: 0 }
  for (const part of (acceptLanguage ?? '').split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const tag = range === '*' ? languages[0] : range.split('-')[0]!
    const quality = qualityOf(parameters)
    if (isLanguage(tag) && quality > best.quality) best = { language: tag, quality }
  }
  return best.language
}

/** The same, where a browser says anything at all: a server's HTTP client sends nothing, or `*`. */
export const languageAsked = (acceptLanguage: string | null): Language | null =>
  /[a-z]/i.test(acceptLanguage ?? '') ? languageOf(acceptLanguage) : null

/** A weight from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2); 1 where none is given, 0 for nonsense. */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0
}
