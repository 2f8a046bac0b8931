/** The one code of a pasted text, such as a whole message: "Your code is 123 456. It is valid for 5 minutes."; null without one. */
export function codeIn(text: string, length: number): string | null {
  const half = Math.floor(length / 2)
  // Neither a part of a longer number, nor of a word or an address.
  const code = new RegExp(
    `(?<![\\w/=+.-]|\\d )(?:\\d{${length}}|\\d{${half}}[ \\u00a0-]\\d{${length - half}})(?![\\w/=+-]|\\.\\d)`,
    'gu',
  )
  const found = new Set(text.match(code)?.map((one) => one.replace(/\D/g, '')))
  return found.size === 1 ? [...found][0]! : null
}
