import { phoneIdentifier } from '../features/phone-number/identifier.ts'
import { providerHeight } from '../features/social/layout.ts'
import { usernameIdentifier } from '../features/username/identifier.ts'
import { usernameErrors } from '../features/username/texts.ts'
import type { SignInMethod, WayId } from '../lib/auth/endpoints.ts'
import { atProvider } from '../lib/last-used.ts'
import { part } from '../lib/part.ts'
import type { Identifier, SignUpField, Way } from '../lib/ways.ts'

/** The ways to sign in on signed-out pages: an entry here, and a component in the feature's folder. */

interface Slot extends Omit<Way, 'id'> {
  /** Above the form, or below it, under "more ways". */
  place: 'above' | 'below'
}

const linkWay = (name: keyof typeof import('./link-ways.tsx')) =>
  part(async () => ({ default: (await import('./link-ways.tsx'))[name] }))

/** Where the page offers each sign-in method, in the order of a place. `brand.ways` can change the order. */
const slots: { [M in SignInMethod]: M extends WayId ? Slot : null } = {
  social: {
    place: 'above',
    when: ({ providers }) => providers.length > 0,
    makesAccounts: true,
    height: providerHeight,
    ...part(() => import('../features/social/provider-buttons.tsx')),
  },
  'cloudflare-access': {
    place: 'above',
    when: ({ features }) => features.accessIdentity,
    makesAccounts: true,
    height: () => 2.5,
    ...part(() => import('../features/access-identity/way.tsx')),
  },
  passkey: {
    place: 'above',
    when: ({ features }) => features.passkey,
    height: () => 2.5,
    ...part(() => import('../features/passkey/way.tsx')),
  },
  'magic-link': {
    place: 'below',
    when: ({ features }) => features.magicLink,
    forAddress: true,
    ...linkWay('MagicLinkWay'),
  },
  'email-otp': {
    place: 'below',
    when: ({ features }) => features.emailOtp,
    forAddress: true,
    ...linkWay('EmailCodeWay'),
  },
  'phone-otp': {
    place: 'below',
    when: ({ features }) => features.phoneNumber,
    ...linkWay('PhoneCodeWay'),
  },
  anonymous: {
    place: 'below',
    when: ({ features }) => features.anonymous,
    ...part(() => import('../features/anonymous/way.tsx')),
  },
  // The form, with `identifiers`, which offers the single sign-on of an address, too.
  email: null,
  username: null,
  'phone-number': null,
  sso: null,
  // Elsewhere: the sign-up, the link of a mail, the console, no screen.
  'sign-up': null,
  'email-verification': null,
  impersonation: null,
  rotation: null,
}

const waysAt = (place: Slot['place']): Way[] =>
  (Object.entries(slots) as [WayId, Slot | null][]).flatMap(([id, slot]) =>
    slot?.place === place ? [{ id, ...slot }] : [],
  )

export const waysAbove = waysAt('above')
export const waysBelow = waysAt('below')

/** Without visible elements: active while the page is open (passkey autofill, One Tap). */
export const waysInBackground: Way[] = [
  {
    id: 'passkey',
    when: ({ features }) => features.passkey,
    ...part(() => import('../features/passkey/autofill.tsx')),
  },
  {
    id: 'social',
    used: atProvider('google'),
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
