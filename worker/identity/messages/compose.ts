import * as z from 'zod'
import type { InEachLanguage, Language } from '../../kit/language.ts'
import { plainWords } from '../../kit/plain-words.ts'
import { newId } from '../../kit/random.ts'
import { inWords } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import { layOutMail, type MailWords } from '../../platform/mailer/layout.ts'
import type { Mail } from '../../platform/mailer/mail.ts'
import type { Scope } from '../scope.ts'
import { mailOptions, textOptions } from '../settings.ts'
import type { Facts, MailContent, MailData, MailName, TextData, TextName, WholeMail } from './templates.ts'

/** What a mail is made from. */
export type MessageScope = Pick<Scope, 'brand' | 'language' | 'askedLanguage' | 'options' | 'settings' | 'log' | 'now'>

/** The reader, as far as they are known. */
export interface Reader {
  email: string
  name?: string | undefined
  language?: Language | null | undefined
}

/** What the feature itself has to say; the rest of a template's facts is the same for all. */
type Own<D> = Omit<D, keyof Facts | 'email' | 'name' | 'lifetime'>

/** The language of a message that its reader's own browser asks for. */
export const readersLanguage = (scope: MessageScope, reader?: Pick<Reader, 'language'> | null): Language =>
  scope.askedLanguage ?? reader?.language ?? scope.language

/** The language of a message that somebody else's doing sends: the one that the reader's browser asked for last. */
export const keptLanguage = (scope: MessageScope, reader?: Pick<Reader, 'language'> | null): Language =>
  reader?.language ?? scope.language

const facts = (scope: MessageScope, language: Language, own: object): object => ({
  language,
  appName: scope.brand.name,
  ...('expiresIn' in own ? { lifetime: inWords(own.expiresIn as number, language) } : {}),
  ...own,
})

/**
 * A mail by its name, in the words of the configuration's template, or in ours where there is none or it fails.
 * @param words ours
 * @param own what the template is told besides who reads it
 */
export function composeMail<N extends MailName>(
  scope: MessageScope,
  name: N,
  words: InEachLanguage<(data: MailData[N]) => MailWords>,
  { email, name: called = '', language }: Reader & { language: Language },
  own: Own<MailData[N]>,
): Mail {
  const data = { ...facts(scope, language, own), email, name: plainWords(called) } as MailData[N]
  const ours = words[language](data)
  const theirs = mailContent(scope, name, data)
  const { url, code } = own as { url?: string; code?: string }
  const content =
    theirs && 'html' in theirs
      ? theirs
      : layOutMail({ brand: scope.brand, language }, { ...ours, ...theirs, name: called, url, code })
  return { id: newId(), madeAt: scope.now().getTime(), kind: name, to: email, ...content }
}

const said = z.string().trim().min(1)

const contentSchema = z.union([
  z.undefined(),
  z.strictObject({ subject: said, text: said, html: said }),
  z.strictObject({ subject: said, heading: said, paragraphs: z.array(said), button: said, note: said }).partial(),
])

/** What the configuration's template says; nothing where it fails, so that no mail is lost with it. */
function mailContent<N extends MailName>(
  scope: MessageScope,
  name: N,
  data: MailData[N],
): Partial<MailWords> | WholeMail | undefined {
  const template = mailOptions.of(scope).templates[name] as ((data: MailData[N]) => MailContent) | undefined
  return fromTemplate(scope, `mail.templates.${name}`, contentSchema, template && (() => template(data))) as MailContent
}

/**
 * A text message by its name, without the last line.
 * @param words ours
 */
export function composeText<N extends TextName>(
  scope: MessageScope,
  name: N,
  words: InEachLanguage<(data: TextData[N]) => string>,
  language: Language,
  own: Own<TextData[N]>,
): string {
  const data = facts(scope, language, own) as TextData[N]
  const template = textOptions.of(scope).templates[name] as ((data: TextData[N]) => string | undefined) | undefined
  const theirs = fromTemplate(scope, `text.templates.${name}`, said.optional(), template && (() => template(data)))
  return theirs ?? words[language](data)
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
      throw new Error('it answers a promise, and has to answer at once')
    }
    const { success, data, error } = schema.safeParse(answer)
    if (success) return data
    const where = error.issues[0]?.path.join('.')
    scope.log('error', 'template-failed', { setting, reason: `it answers no content${where ? ` (${where})` : ''}` })
  } catch (thrown) {
    scope.log('error', 'template-failed', { setting, reason: reasonOf(thrown) })
  }
  return undefined
}
