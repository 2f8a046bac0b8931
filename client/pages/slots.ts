import type { ComponentType } from 'react'
import type { CaptchaProps, Identifier, SignUpField, Way } from '../lib/ways.ts'

/**
 * The places in the signed-out pages where other ways to sign in step in: one entry here, the component in its room
 * (`lazy(() => import('../features/passkey/sign-in-button.tsx'))`), nothing else to touch.
 */

/** Above the form: the providers' buttons, the passkey button. */
export const waysAbove: Way[] = []

/** Below the form, under "more ways": magic link, email code, phone code, guest. */
export const waysBelow: Way[] = []

/** Nothing to be seen: started when the page opens (passkey autofill, One Tap), ended when it closes. */
export const waysInBackground: Way[] = []

/** What the first field takes beside an email address. The first whose `matches` holds sends the form. */
export const identifiers: Identifier[] = []

/** Fields of the sign-up form, such as the username. */
export const signUpFields: SignUpField[] = []

/** The widget of the guard against robots, at the end of the sign-in, sign-up and forgotten-password forms. */
export const captcha: { component: ComponentType<CaptchaProps> | null } = { component: null }
