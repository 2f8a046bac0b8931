/** Control and format characters (zero width, changes of direction), and everything that breaks a line. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Full stops of all scripts that IDNA takes for a dot (UTS 46, section 4), and the look-alike U+2024. */
const dot = '[.\\u2024\\u3002\\uff0e\\uff61]'

/** What stands between two words of an address; a space takes it apart. */
const joints = [new RegExp(`(${dot})(?=[^\\s.])`, 'gu'), /([:：])(?=\S)/gu, /([/／\\])(?=[/／\\])/gu, /([@＠])(?=\S)/gu]

/**
 * Words that somebody else chose (a person's name, an organization's), for a mail that we send: on one line, not
 * longer than a name is, and in no form that a mail program turns into a link: `https://evil.example/x` becomes
 * `https: / /evil. example/x`. The HTML of a mail has to be escaped all the same.
 * @param limit in characters
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
