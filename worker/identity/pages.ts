import * as z from 'zod'
import { defineOptions, section } from '../kit/options.ts'
import { isRelativePath, originOf, resolve, withQuery } from '../kit/urls.ts'
import type { Scope } from './scope.ts'
import type { SecurityPart } from './security-parts.ts'

/** The hosted screens for links in mails. */
const hosted = {
  acceptInvitation: '/accept-invitation',
  approvals: '/account/approvals',
  auditStreams: '/organization/audit/streams',
  magicLink: '/magic-link',
  members: '/organization/members',
  resetPassword: '/reset-password',
  revertEmail: '/revert-email',
  security: '/account/security',
  signIn: '/sign-in',
  singleSignOn: '/organization/settings/single-sign-on',
  verifyEmail: '/verify-email',
} as const

type Page = keyof typeof hosted

const address = z
  .string()
  .refine((text) => isRelativePath(text) || originOf(text) !== null, 'must be a path of ours or an http(s) URL')
  .nullable()
  .default(null)

/**
 * The product's pages in place of the hosted ones, for links in mails and for errors of redirects. Each gets the same
 * query as the hosted one: `id` (acceptInvitation), `token` or `error` (resetPassword), `token` (revertEmail), `error`
 * after a failure (verifyEmail, magicLink, error). Their origins must be trusted.
 */
export const pageOptions = defineOptions('pages', () =>
  section({
    /** The page of a mailed invitation, which gets `id`. */
    acceptInvitation: address,
    /** The page with requests for an approval, which their mails link to. */
    approvals: address,
    /** The page with the streams of the audit log of the organization, which mails link to. */
    auditStreams: address,
    /** The page after a mailed sign-in link, which gets `error` after a failure. */
    magicLink: address,
    /** The page with the members of the organization, which mails link to. */
    members: address,
    /** The page for a new password, which gets `token` or `error`. */
    resetPassword: address,
    /** The page that reverts a change of address, which gets `token`. */
    revertEmail: address,
    /** The page with passwords, passkeys and sessions, which security notices link to. */
    security: address,
    /** The sign-in page, which mails link to. */
    signIn: address,
    /** The page with the single sign-on of the organization, which mails link to. */
    singleSignOn: address,
    /** The page after a verification link, which gets `error` after a failure. */
    verifyEmail: address,
    /** The target of redirects with `?error=`, unless `onAPIError.errorURL` or the caller names another one. */
    error: address,
  }),
)

type PageScope = Pick<Scope, 'options' | 'settings'>

/**
 * The final target of a link: the one of the caller, unless that is the hosted screen, which the product's page
 * replaces with the same query.
 * @param given a path of ours or an absolute URL
 */
export function landingFor(scope: PageScope, page: Page, given?: string): string {
  const own = pageOptions.of(scope)[page]
  const target = given || hosted[page]
  if (own === null) return target
  const { origin, pathname, searchParams } = new URL(target, scope.settings.baseUrl)
  if (origin !== scope.settings.baseUrl || pathname !== hosted[page]) return target
  return withQuery(own, Object.fromEntries(searchParams))
}

/** The absolute address of a page. */
export const pageFor = (scope: PageScope, page: Page, query: Record<string, string> = {}): string =>
  withQuery(resolve(landingFor(scope, page), scope.settings.baseUrl), query)

/** The security page, at one of its parts. The page of a product may have other parts. */
export const securityPageFor = (scope: PageScope, part: SecurityPart | null): string =>
  pageFor(scope, 'security') + (part && pageOptions.of(scope).security === null ? `#${part}` : '')
