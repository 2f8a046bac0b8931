import { type ComponentType, createElement } from 'react'
import { type AroundNavHandler, Redirect } from 'wouter'
import { leave } from '../lib/leave.ts'
import { member, type Screen, visitor } from '../lib/screens.ts'
import { askBeforeLeaving } from '../lib/unsaved.ts'

/** A screen that redirects to the new place of its content, with its query. */
const moved = (path: string, to: string): Screen => ({
  path,
  frame: 'visitor',
  component: () =>
    createElement(Redirect as ComponentType<{ to: string; replace: boolean }>, {
      to: to.replace('#', `${location.search}#`),
      replace: true,
    }),
})

/** Screens that combine features. */
const ofPages: Screen[] = [
  visitor('/', () => import('../pages/home.tsx')),
  visitor('/sign-in', () => import('../pages/sign-in.tsx')),
  visitor('/sign-up', () => import('../pages/sign-up.tsx'), 'signUp', 'passkeySignUp'),
  visitor('/forgot-password/code', () => import('../pages/forgot-by-code.tsx'), 'emailOtp', 'phoneNumber'),
  visitor('/forgot-password', () => import('../pages/forgot-password.tsx')),
  visitor('/welcome', () => import('../pages/welcome.tsx')),
  visitor('/sign-out', () => import('../pages/sign-out.tsx')),
  visitor('/error', () => import('../pages/error.tsx')),
  member('/account/profile', () => import('../pages/profile.tsx')),
  member('/account/security', () => import('../pages/security.tsx')),
  // Former addresses of parts of pages.
  moved('/account/email', '/account/profile#email'),
  moved('/account/phone', '/account/profile#phone'),
  moved('/account/delete', '/account/profile#delete'),
  moved('/account/password', '/account/security#password'),
  moved('/account/two-factor', '/account/security#two-factor'),
  moved('/account/passkeys', '/account/security#passkeys'),
  moved('/account/accounts', '/account/security#accounts'),
  moved('/account/sessions', '/account/security#sessions'),
  moved('/organization/roles', '/organization/settings#roles'),
]

const ofFeatures = import.meta.glob<Screen[]>('../features/*/screens.ts', { eager: true, import: 'default' })

/** Every screen; the first match wins. */
export const routes: Screen[] = [...ofPages, ...Object.values(ofFeatures).flat()]

const patterns = routes.map(({ path }) => new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}/?$`, 'i'))

function isScreen(to: string): boolean {
  const { pathname } = new URL(to, location.href)
  return patterns.some((pattern) => pattern.test(pathname))
}

/** Paths of this origin that are not screens, such as /api/auth/…, are other documents. */
export const aroundNav: AroundNavHandler = (navigate, to, options) =>
  askBeforeLeaving((to, options) => (isScreen(to) ? navigate(to, options) : leave(to, options)), to, options)

export const notFound: Screen = visitor('*', () => import('../pages/not-found.tsx'))
