import { looksLikeEmail } from './form.ts'
import { looksLikePhone } from './phone.ts'

/**
 * The address, number or name last typed into a signed-out form, so that the next screen does not ask for it again.
 * Kept in memory: it is in no URL, and the next person at this computer does not find it.
 */
let last = takeFromStorage()

/**
 * Whoever left the first screen by a link has it in this tab's storage (app/before-paint.js), from which it goes at once.
 * Not by the first screen itself, whose own scripts may still arrive while the browser is on its way to the next.
 */
function takeFromStorage(): string {
  try {
    if (document.getElementById('first')) return ''
    const text = sessionStorage.getItem('typed') ?? ''
    sessionStorage.removeItem('typed')
    return text
  } catch {
    return ''
  }
}

export const typed = {
  set(text: string): void {
    last = text.trim()
  },
  any: (): string => last,
  email: (): string => (looksLikeEmail(last) ? last : ''),
  phone: (): string => (looksLikePhone(last) ? last : ''),
}
