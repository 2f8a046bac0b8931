import { type ComponentType, lazy } from 'react'
import type { FeatureSwitches } from '../lib/auth/endpoints.ts'
import { movedTo } from './moved.tsx'

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

const moved = (path: string, to: string): Screen => ({ path, frame: 'visitor', component: movedTo(to) })

/** Every screen, one a line; the first match wins. Each is a file with a default export, loaded when it is visited. */
export const routes: Screen[] = [
  visitor('/', () => import('../pages/home.tsx')),
  visitor('/sign-in', () => import('../pages/sign-in.tsx')),
  visitor(
    '/sign-up',
    () => import('../pages/sign-up.tsx'),
    (on) => on.signUp || on.passkeySignUp,
  ),
  visitor(
    '/sign-in/link',
    () => import('../features/magic-link/ask.tsx'),
    (on) => on.magicLink,
  ),
  visitor(
    '/magic-link',
    () => import('../features/magic-link/landing.tsx'),
    (on) => on.magicLink,
  ),
  visitor(
    '/sign-in/code',
    () => import('../features/email-otp/sign-in.tsx'),
    (on) => on.emailOtp,
  ),
  visitor(
    '/sign-in/address',
    () => import('../features/social/address.tsx'),
    (on) => on.askForEmail,
  ),
  visitor(
    '/verify-email/code',
    () => import('../features/email-otp/verify-email.tsx'),
    (on) => on.emailOtp,
  ),
  visitor(
    '/sign-in/phone',
    () => import('../features/phone-number/sign-in.tsx'),
    (on) => on.phoneNumber,
  ),
  visitor(
    '/forgot-password/code',
    () => import('../pages/forgot-by-code.tsx'),
    (on) => on.emailOtp || on.phoneNumber,
  ),
  visitor('/check-inbox', () => import('../features/email-verification/check-inbox.tsx')),
  visitor('/verify-email', () => import('../features/email-verification/verify-email.tsx')),
  visitor('/forgot-password', () => import('../pages/forgot-password.tsx')),
  visitor('/reset-password', () => import('../features/email-password/reset-password.tsx')),
  visitor(
    '/two-factor',
    () => import('../features/two-factor/challenge.tsx'),
    (on) => on.twoFactor,
  ),
  visitor('/goodbye', () => import('../features/profile/goodbye.tsx')),
  visitor(
    '/accept-invitation',
    () => import('../features/organization/accept-invitation.tsx'),
    (on) => on.organization,
  ),
  visitor('/welcome', () => import('../pages/welcome.tsx')),
  visitor('/sign-out', () => import('../pages/sign-out.tsx')),
  visitor(
    '/consent',
    () => import('../features/identity-provider/consent.tsx'),
    (on) => on.identityProvider,
  ),
  visitor(
    '/device',
    () => import('../features/identity-provider/device.tsx'),
    (on) => on.identityProvider,
  ),
  visitor(
    '/sign-out/application',
    () => import('../features/identity-provider/sign-out.tsx'),
    (on) => on.identityProvider,
  ),
  visitor('/error', () => import('../pages/error.tsx')),

  member('/account/profile', () => import('../pages/profile.tsx')),
  member('/account/security', () => import('../pages/security.tsx')),
  // Where the parts of these two pages were once.
  moved('/account/email', '/account/profile#email'),
  moved('/account/phone', '/account/profile#phone'),
  moved('/account/delete', '/account/profile#delete'),
  moved('/account/password', '/account/security#password'),
  moved('/account/two-factor', '/account/security#two-factor'),
  moved('/account/passkeys', '/account/security#passkeys'),
  moved('/account/accounts', '/account/security#accounts'),
  moved('/account/sessions', '/account/security#sessions'),

  member(
    '/account/connections',
    () => import('../features/identity-provider/connections.tsx'),
    (on) => on.identityProvider,
  ),
  member(
    '/account/billing',
    () => import('../features/billing/billing.tsx'),
    (on) => on.billing,
  ),
  member(
    '/developers/clients',
    () => import('../features/identity-provider/clients.tsx'),
    (on) => on.identityProvider,
  ),

  member(
    '/organizations/new',
    () => import('../features/organization/create.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/settings',
    () => import('../features/organization/settings.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/members',
    () => import('../features/organization/members.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/invitations',
    () => import('../features/organization/invitations.tsx'),
    (on) => on.organization,
  ),
  member(
    '/organization/teams',
    () => import('../features/organization/teams.tsx'),
    (on) => on.teams,
  ),
  member(
    '/organization/roles',
    () => import('../features/organization/roles.tsx'),
    (on) => on.organization,
  ),

  member(
    '/developers/api-keys',
    () => import('../features/api-key/api-keys.tsx'),
    (on) => on.apiKey,
  ),
  member(
    '/admin/users',
    () => import('../features/admin/users.tsx'),
    (on) => on.admin,
  ),
  member(
    '/admin/users/new',
    () => import('../features/admin/create-user.tsx'),
    (on) => on.admin,
  ),
  member(
    '/admin/users/:id',
    () => import('../features/admin/user.tsx'),
    (on) => on.admin,
  ),
  member(
    '/admin/audit',
    () => import('../features/admin/audit.tsx'),
    (on) => on.admin,
  ),
]

export const notFound: Screen = visitor('*', () => import('../pages/not-found.tsx'))
