import { member, type Screen, visitor } from '../lib/screens.ts'
import { movedTo } from './moved.tsx'

const moved = (path: string, to: string): Screen => ({ path, frame: 'visitor', component: movedTo(to) })

/** Screens that put several features together. */
const ofPages: Screen[] = [
  visitor('/', () => import('../pages/home.tsx')),
  visitor('/sign-in', () => import('../pages/sign-in.tsx')),
  visitor(
    '/sign-up',
    () => import('../pages/sign-up.tsx'),
    (on) => on.signUp || on.passkeySignUp,
  ),
  visitor(
    '/forgot-password/code',
    () => import('../pages/forgot-by-code.tsx'),
    (on) => on.emailOtp || on.phoneNumber,
  ),
  visitor('/forgot-password', () => import('../pages/forgot-password.tsx')),
  visitor('/welcome', () => import('../pages/welcome.tsx')),
  visitor('/sign-out', () => import('../pages/sign-out.tsx')),
  visitor('/error', () => import('../pages/error.tsx')),
  member('/account/profile', () => import('../pages/profile.tsx')),
  member('/account/security', () => import('../pages/security.tsx')),
  // Where the parts of the profile and of the security page were once.
  moved('/account/email', '/account/profile#email'),
  moved('/account/phone', '/account/profile#phone'),
  moved('/account/delete', '/account/profile#delete'),
  moved('/account/password', '/account/security#password'),
  moved('/account/two-factor', '/account/security#two-factor'),
  moved('/account/passkeys', '/account/security#passkeys'),
  moved('/account/accounts', '/account/security#accounts'),
  moved('/account/sessions', '/account/security#sessions'),
]

/** Each feature names its own, in `features/<feature>/screens.ts`. */
const ofFeatures = import.meta.glob<Screen[]>('../features/*/screens.ts', { eager: true, import: 'default' })

/** Every screen; the first match wins. */
export const routes: Screen[] = [...ofPages, ...Object.values(ofFeatures).flat()]

export const notFound: Screen = visitor('*', () => import('../pages/not-found.tsx'))
