import { type ComponentType, lazy } from 'react'
import { phoneIdentifier } from '../features/phone-number/identifier.ts'
import { providerHeight } from '../features/social/layout.ts'
import { usernameIdentifier } from '../features/username/identifier.ts'
import { usernameErrors } from '../features/username/texts.ts'
import type { CaptchaProps, Identifier, SignUpField, Way } from '../lib/ways.ts'

/**
 * The places in the signed-out pages where other ways to sign in step in: one entry here, the component in its feature
 * (`lazy(() => import('../features/passkey/sign-in-button.tsx'))`), nothing else to touch.
 */

/** Above the form: the providers' buttons, the passkey button. */
export const waysAbove: Way[] = [
  {
    id: 'social',
    when: ({ providers }) => providers.length > 0,
    makesAccounts: true,
    height: providerHeight,
    component: lazy(() => import('../features/social/provider-buttons.tsx')),
  },
  {
    id: 'passkey',
    when: ({ features }) => features.passkey,
    height: () => 2.5,
    component: lazy(() => import('../features/passkey/way.tsx')),
  },
]

/** Below the form, under "more ways": magic link, email code, phone code, guest. */
export const waysBelow: Way[] = [
  {
    id: 'magic-link',
    when: ({ features }) => features.magicLink,
    component: lazy(() => import('../features/magic-link/way.tsx')),
  },
  {
    id: 'email-otp',
    when: ({ features }) => features.emailOtp,
    component: lazy(() => import('../features/email-otp/way.tsx')),
  },
  {
    id: 'phone-number',
    when: ({ features }) => features.phoneNumber,
    component: lazy(() => import('../features/phone-number/way.tsx')),
  },
  {
    id: 'anonymous',
    when: ({ features }) => features.anonymous,
    component: lazy(() => import('../features/anonymous/way.tsx')),
  },
]

/** Nothing to be seen: started when the page opens (passkey autofill, One Tap), ended when it closes. */
export const waysInBackground: Way[] = [
  {
    id: 'passkey',
    when: ({ features }) => features.passkey,
    component: lazy(() => import('../features/passkey/autofill.tsx')),
  },
  {
    id: 'one-tap',
    when: ({ oneTap }) => oneTap !== undefined,
    component: lazy(() => import('../features/one-tap/one-tap-way.tsx')),
  },
]

/** What the first field takes beside an email address. The first whose `matches` holds sends the form. */
export const identifiers: Identifier[] = [phoneIdentifier, usernameIdentifier]

/** Fields of the sign-up form, such as the username. */
export const signUpFields: SignUpField[] = [
  {
    name: 'username',
    when: (features) => features.username,
    component: lazy(() => import('../features/username/username-field.tsx')),
    errors: usernameErrors,
  },
]

/** The widget of the guard against robots, at the end of the sign-in, sign-up and forgotten-password forms. */
export const captcha: { component: ComponentType<CaptchaProps> | null } = {
  component: lazy(() => import('../features/captcha/widget.tsx')),
}
