import { deployment } from './deployment.ts'
import { looksLikeEmail } from './form.ts'
import { looksLikePhone } from './phone.ts'

/**
 * The address, number or name that was last typed on a signed-out screen; the next screen starts with it. Kept in
 * memory: it is not in the URL, and the next user of this computer does not see it.
 */
let last = takeFromStorage()

/**
 * A link of the page of the Worker stores it in the tab (app/before-paint.js); it is removed when read. The page that
 * the link leaves does not read it: its scripts may still load during the navigation.
 */
function takeFromStorage(): string {
  try {
    if (document.documentElement.dataset.left !== undefined) return ''
    const text = sessionStorage.getItem(`${deployment.storage}typed`) ?? ''
    sessionStorage.removeItem(`${deployment.storage}typed`)
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
