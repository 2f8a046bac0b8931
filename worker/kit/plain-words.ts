/** Control and format characters (zero width, changes of direction) and all line breaks. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Full stops of all scripts that IDNA maps to a dot (UTS 46, section 4), and the similar U+2024. */
const dot = '[.\\u2024\\u3002\\uff0e\\uff61]'

/** Matches the separators in an address; a space after one breaks the address. */
const joints = [new RegExp(`(${dot})(?=[^\\s.])`, 'gu'), /([:：])(?=\S)/gu, /([/／\\])(?=[/／\\])/gu, /([@＠])(?=\S)/gu]

/**
 * A user's words (a name) for a mail of ours: on one line, limited, and without a form that a mail program makes a
 * link: `https://evil.example/x` becomes `https: / /evil. example/x`. HTML is not escaped. @param limit in characters
 */
export function plainWords(text: string, limit = 80): string {
  let words = text.replace(unseen, ' ')
  for (const joint of joints) words = words.replace(joint, '$1 ')
  words = words.replace(/\s+/gu, ' ').trim()
  const characters = [...words]
  return characters.length <= limit
    ? words
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}
