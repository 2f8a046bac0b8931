/** A number as people write it, in the form that the server wants (E.164): `0049 (151) 234-56` is `+4915123456`. */
export const normalizePhone = (text: string): string => text.replace(/[\s()./-]/g, '').replace(/^00/, '+')

/** Enough to catch a slip; the server decides. */
export const looksLikePhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(normalizePhone(text))
