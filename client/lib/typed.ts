import { looksLikeEmail } from './form.ts'
import { looksLikePhone } from './phone.ts'

/**
 * The address, number or name last typed into a signed-out form, so that the next screen does not ask for it again.
 * Kept in memory alone: it is in no URL, and the next person at this computer does not find it.
 */
let last = ''

export const typed = {
  set(text: string): void {
    last = text.trim()
  },
  any: (): string => last,
  email: (): string => (looksLikeEmail(last) ? last : ''),
  phone: (): string => (looksLikePhone(last) ? last : ''),
}
