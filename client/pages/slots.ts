import { type ComponentType, lazy } from 'react'
import { phoneIdentifier } from '../features/phone-number/identifier.ts'
import { providerHeight } from '../features/social/layout.ts'
import { usernameIdentifier } from '../features/username/identifier.ts'
import { usernameErrors } from '../features/username/texts.ts'
import type { Identifier, SignUpField, Way } from '../lib/ways.ts'

/**
 * The ways to sign in on signed-out pages: an entry here, and a component in the feature's folder (`lazy(() =>
 * import('../features/passkey/way.tsx'))`).
 */

/** A component whose code is loaded when it is shown. */
const part = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) => ({
  load,
  component: lazy(load),
})

/** Above the form: the providers' buttons, the passkey button. */
export const waysAbove: Way[] = [
  {
    id: 'social',
    when: ({ providers }) => providers.length > 0,
    makesAccounts: true,
    height: providerHeight,
    ...part(() => import('../features/social/provider-buttons.tsx')),
  },
  {
    id: 'access-identity',
    when: ({ features }) => features.accessIdentity,
    makesAccounts: true,
    height: () => 2.5,
    ...part(() => import('../features/access-identity/way.tsx')),
  },
  {
    id: 'passkey',
    when: ({ features }) => features.passkey,
    height: () => 2.5,
    ...part(() => import('../features/passkey/way.tsx')),
  },
]

const linkWay = (name: keyof typeof import('./link-ways.tsx')) =>
  part(async () => ({ default: (await import('./link-ways.tsx'))[name] }))

/** Below the form, under "more ways": magic link, email code, phone code, guest. */
export const waysBelow: Way[] = [
  {
    id: 'magic-link',
    when: ({ features }) => features.magicLink,
    forAddress: true,
    ...linkWay('MagicLinkWay'),
  },
  {
    id: 'email-otp',
    when: ({ features }) => features.emailOtp,
    forAddress: true,
    ...linkWay('EmailCodeWay'),
  },
  {
    id: 'phone-number',
    when: ({ features }) => features.phoneNumber,
    ...linkWay('PhoneCodeWay'),
  },
  {
    id: 'anonymous',
    when: ({ features }) => features.anonymous,
    ...part(() => import('../features/anonymous/way.tsx')),
  },
]

/** Without visible elements: active while the page is open (passkey autofill, One Tap). */
export const waysInBackground: Way[] = [
  {
    id: 'passkey',
    when: ({ features }) => features.passkey,
    ...part(() => import('../features/passkey/autofill.tsx')),
  },
  {
    id: 'one-tap',
    when: ({ oneTap }) => oneTap !== undefined,
    ...part(() => import('../features/one-tap/one-tap-way.tsx')),
  },
]

/** Identifiers in addition to an email address. The first one that `matches` sends the form. */
export const identifiers: Identifier[] = [phoneIdentifier, usernameIdentifier]

export const signUpFields: SignUpField[] = [
  {
    name: 'username',
    when: (features) => features.username,
    ...part(() => import('../features/username/username-field.tsx')),
    errors: usernameErrors,
  },
]
