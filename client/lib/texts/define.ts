// Knows neither React nor the browser, for the Worker writes the first screen with the same words.

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The words of one feature, in every language. */
export type Dictionary<T> = Readonly<Record<Language, T>>

/** The second argument must have every key of the first: a missing translation is a type error. */
export function defineTexts<T>(english: T, german: NoInfer<T>): Dictionary<T> {
  return { en: english, de: german }
}
