/** Converts a number to E.164: `0049 (151) 234-56` becomes `+4915123456`. */
export const normalizePhone = (text: string): string => text.replace(/[\s()./-]/g, '').replace(/^00/, '+')

/** A simple check; the server decides. */
export const looksLikePhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(normalizePhone(text))

/** The lengths of calling codes (ITU-T E.164): one digit, two digits, else three. */
const callingCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/

/** Groups the digits of a number (E.164) for reading: `+4915123456789` becomes `+49 151 234 567 89`. */
export function readablePhone(number: string): string {
  const [, code, rest] = callingCode.exec(number) ?? []
  if (!code || !rest) return number
  const groups: string[] = []
  let left = rest
  while (left.length > 4) {
    groups.push(left.slice(0, 3))
    left = left.slice(3)
  }
  return [`+${code}`, ...groups, left].join('\u00a0')
}

/**
 * A name for others. The account of a user who signed up by number and skipped the question for the name is named after
 * the number: `+4915123456789` becomes `+49 ••• 789`.
 */
export function shownName(name: string): string {
  const [, code, rest] = callingCode.exec(name) ?? []
  return code && rest && rest.length > 5 ? `+${code}\u00a0•••\u00a0${rest.slice(-3)}` : name
}
