import { textsOfFirstScreens } from '../../client/app/first-screen.ts'
import { textsOfFrames } from '../../client/app/frames.ts'
import { englishTexts, translations, wordsOf } from '../../client/languages/english.ts'

/** The texts of the frames of signed-in screens in all languages, read from the dictionaries and the files of languages. */
export function frameTextsFile(): string {
  const languages = {
    en: englishTexts('client'),
    ...Object.fromEntries(translations.map((tag) => [tag, wordsOf(tag, 'client')])),
  }
  const texts = Object.entries(languages).map(([tag, words]) => {
    const found = textsOfFrames().map((name) => {
      const [dictionary = '', key = ''] = name.split('.')
      const text = (words[dictionary] as Record<string, unknown> | undefined)?.[key]
      if (typeof text !== 'string') throw new Error(`${tag}: ${name} is not a text`)
      return [name, text]
    })
    return [tag, Object.fromEntries(found)]
  })
  return [
    '/** Made from the dictionaries by `npm run generate`, not by hand: the texts that app/frames.ts names. */',
    '// biome-ignore format: one line',
    `export const frameTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(Object.fromEntries(texts))}`,
    '',
  ].join('\n')
}

/** The translations of the screens that the Worker writes for visitors. English is in the dictionaries. */
export function firstScreenTextsFile(): string {
  const texts = translations.map((tag) => {
    const words = wordsOf(tag, 'client')
    const found = textsOfFirstScreens.map((name) => {
      const [dictionary = '', key] = name.split('.')
      const group = words[dictionary] as Record<string, unknown> | undefined
      const value = key && group ? group[key] && { [key]: group[key] } : group
      if (!value) throw new Error(`${tag}: ${name} has no texts`)
      return [dictionary, value]
    })
    return [tag, Object.fromEntries(found)]
  })
  return [
    '/** Made from the dictionaries by `npm run generate`, not by hand: the texts that app/first-screen.ts names. */',
    "import type { Words } from '../lib/texts/define.ts'",
    '',
    '// biome-ignore format: one line',
    `export const firstScreenTexts: Readonly<Record<string, Words>> = ${JSON.stringify(Object.fromEntries(texts))}`,
    '',
  ].join('\n')
}
