import { type ComponentType, lazy } from 'react'
import type { FeatureSwitches } from '../lib/auth/endpoints.ts'

export interface Screen {
  /** With `:name` for a parameter; the screen reads it with wouter's useParams. */
  path: string
  /** `member` asks for a session first and shows the navigation. */
  frame: 'visitor' | 'member'
  component: ComponentType
  /** A screen of a capability that can be switched off. */
  when?(features: FeatureSwitches): boolean | undefined
}

type Load = () => Promise<{ default: ComponentType }>
type When = Screen['when']

const visitor = (path: string, load: Load, when?: When): Screen => ({
  path,
  frame: 'visitor',
  component: lazy(load),
  when,
})
const member = (path: string, load: Load, when?: When): Screen => ({
  path,
  frame: 'member',
  component: lazy(load),
  when,
})

/** Every screen, one a line; the first match wins. Each is a file with a default export, loaded when it is visited. */
export const routes: Screen[] = [
  visitor('/', () => import('../pages/home.tsx')),
  visitor('/sign-in', () => import('../pages/sign-in.tsx')),
  visitor(
    '/sign-up',
    () => import('../pages/sign-up.tsx'),
    (on) => on.signUp,
  ),
  visitor('/check-inbox', () => import('../features/email-verification/check-inbox.tsx')),
  visitor('/verify-email', () => import('../features/email-verification/verify-email.tsx')),
  visitor('/forgot-password', () => import('../pages/forgot-password.tsx')),
  visitor('/reset-password', () => import('../features/email-password/reset-password.tsx')),
  visitor('/goodbye', () => import('../features/profile/goodbye.tsx')),
  visitor('/error', () => import('../pages/error.tsx')),

  member('/account/profile', () => import('../features/profile/profile.tsx')),
  member('/account/email', () => import('../features/profile/email.tsx')),
  member('/account/password', () => import('../features/email-password/change-password.tsx')),
  member('/account/sessions', () => import('../features/session/sessions.tsx')),
  member('/account/accounts', () => import('../features/accounts/linked-accounts.tsx')),
  member(
    '/account/delete',
    () => import('../features/profile/delete-account.tsx'),
    (on) => on.deleteUser,
  ),
]

export const notFound: Screen = visitor('*', () => import('../pages/not-found.tsx'))
