import * as z from 'zod'
import type { Language } from '../../kit/language.ts'
import { plainWords } from '../../kit/plain-words.ts'
import { newId } from '../../kit/random.ts'
import { type Dictionary, fill, type TextValues, valueNames } from '../../kit/texts.ts'
import { inWords, momentInWords, ms } from '../../kit/time.ts'
import { loadLanguage, textsIn } from '../../languages/texts.ts'
import { reasonOf } from '../../platform/log.ts'
import { layOutMail, type MailTexts, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Call, Dependencies } from '../scope.ts'
import { mailOptions, textOptions } from './messages.config.ts'
import type { Facts, MailContent, MailData, MailName, TextData, TextName, WholeMail } from './templates.ts'

/** The inputs of a mail. */
export type MessageScope = Call & Dependencies

/** The known facts about the reader. */
export interface Reader {
  email: string
  name?: string | undefined
  language?: Language | null | undefined
}

/** The data of the feature; the rest is the same for all templates. */
type Own<D> = Omit<D, keyof Facts | 'email' | 'name' | 'lifetime'>

/** The language of a message that its reader's own browser requests. */
export const readersLanguage = (scope: MessageScope, reader?: Pick<Reader, 'language'> | null): Language =>
  scope.request.language ?? keptLanguage(scope, reader)

/** The language of all other messages: the last language of the reader's browser. */
export const keptLanguage = (scope: MessageScope, reader?: Pick<Reader, 'language'> | null): Language =>
  reader?.language && scope.shared.brand.languages.includes(reader.language) ? reader.language : scope.language

const facts = (scope: MessageScope, language: Language, own: object): object => ({
  language,
  appName: scope.shared.brand.name,
  ...('expiresIn' in own ? { lifetime: inWords(own.expiresIn as number, language) } : {}),
  ...own,
})

/**
 * A mail by name, from the configuration's template, or the default without one or after a failure.
 * @param words the default
 * @param own data of the template in addition to the reader
 * @param more values of the default only
 */
export async function composeMail<N extends MailName>(
  scope: MessageScope,
  name: N,
  words: Dictionary<MailTexts>,
  { email, name: called = '', language }: Reader & { language: Language },
  own: Own<MailData[N]>,
  more: TextValues = {},
): Promise<Mail> {
  await loadLanguage(language)
  const data = { ...facts(scope, language, own), email, name: plainWords(called) } as MailData[N]
  const ours = filled(textsIn(words, language, scope.shared.brand.texts), { ...data, ...more }, language)
  const theirs = mailContent(scope, name, data)
  const { url, code } = own as { url?: string; code?: string }
  const content =
    theirs && 'html' in theirs
      ? theirs
      : layOutMail({ brand: scope.shared.brand, language }, { ...ours, ...theirs, name: called, url, code })
  const madeAt = scope.now().getTime()
  return { id: newId(), madeAt, expiresAt: expiryOf(own, madeAt), kind: name, to: email, ...content }
}

/** The values of texts: times in words; nothing for an object. */
const valuesOf = (data: object, language: Language): TextValues =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      if (value instanceof Date) return [[name, momentInWords(value, language)]]
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
    }),
  )

function filled({ paragraphs, ...texts }: MailTexts, data: object, language: Language): MailWords {
  const values = valuesOf(data, language)
  const put = (text: string) => fill(text, values, language)
  const lines = Object.entries(texts).map(([part, text]) => [part, put(text)])
  return {
    ...(Object.fromEntries(lines) as Omit<MailTexts, 'paragraphs'>),
    paragraphs: said(paragraphs, values).map(put),
  }
}

/** A paragraph about something unknown is left out. */
const said = (paragraphs: MailTexts['paragraphs'], values: TextValues) =>
  Object.values(paragraphs).filter((text) => valueNames(text).every((name) => values[name] !== undefined))

function expiryOf({ expiresIn, expiresAt }: { expiresIn?: number; expiresAt?: Date }, madeAt: number) {
  return expiresIn === undefined ? expiresAt?.getTime() : madeAt + ms(expiresIn)
}

const given = z.string().trim().min(1)

const contentSchema = z.union([
  z.undefined(),
  z.strictObject({ subject: given, text: given, html: given }),
  z.strictObject({ subject: given, heading: given, paragraphs: z.array(given), button: given, note: given }).partial(),
])

/** The result of the configuration's template; undefined after a failure, so that no mail is lost. */
function mailContent<N extends MailName>(
  scope: MessageScope,
  name: N,
  data: MailData[N],
): Partial<MailWords> | WholeMail | undefined {
  const template = mailOptions.of(scope).templates[name] as ((data: MailData[N]) => MailContent) | undefined
  return fromTemplate(scope, `mail.templates.${name}`, contentSchema, template && (() => template(data))) as MailContent
}

/**
 * A text message by name, without the last line.
 * @param words the default
 */
export async function composeText<N extends TextName>(
  scope: MessageScope,
  name: N,
  words: Dictionary<{ text: string }>,
  language: Language,
  own: Own<TextData[N]>,
  more: TextValues = {},
): Promise<string> {
  await loadLanguage(language)
  const data = facts(scope, language, own) as TextData[N]
  const template = textOptions.of(scope).templates[name] as ((data: TextData[N]) => string | undefined) | undefined
  const theirs = fromTemplate(scope, `text.templates.${name}`, given.optional(), template && (() => template(data)))
  return (
    theirs ??
    fill(textsIn(words, language, scope.shared.brand.texts).text, valuesOf({ ...data, ...more }, language), language)
  )
}

function fromTemplate<T>(
  scope: MessageScope,
  setting: string,
  schema: z.ZodType<T>,
  template: (() => unknown) | undefined,
): T | undefined {
  if (!template) return undefined
  try {
    const answer = template()
    if (answer instanceof Promise) {
      answer.catch(() => {})
      throw new Error('it returns a promise and must be synchronous')
    }
    const { success, data, error } = schema.safeParse(answer)
    if (success) return data
    const where = error.issues[0]?.path.join('.')
    scope.log('error', 'template-failed', { setting, reason: `it returns no content${where ? ` (${where})` : ''}` })
  } catch (thrown) {
    scope.log('error', 'template-failed', { setting, reason: reasonOf(thrown) })
  }
  return undefined
}
