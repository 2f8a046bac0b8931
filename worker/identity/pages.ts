import * as z from 'zod'
import { defineOptions } from '../kit/options.ts'
import { isRelativePath, originOf, resolve, withQuery } from '../kit/urls.ts'
import type { Scope } from './scope.ts'

/** The hosted screens that links in mails lead to. */
const hosted = {
  acceptInvitation: '/accept-invitation',
  magicLink: '/magic-link',
  members: '/organization/members',
  resetPassword: '/reset-password',
  signIn: '/sign-in',
  verifyEmail: '/verify-email',
} as const

type Page = keyof typeof hosted

const address = z
  .string()
  .refine((text) => isRelativePath(text) || originOf(text) !== null, 'must be a path of ours or an http(s) URL')
  .nullable()

/**
 * Pages of the product's own in place of the hosted ones, for the links in mails and for errors that a browser is sent
 * to. Each gets in its query what the hosted one gets: `id` (acceptInvitation), `token` or `error` (resetPassword),
 * `error` where something went wrong (verifyEmail, magicLink, error). Their origins have to be trusted ones.
 */
export const pageOptions = defineOptions(
  'pages',
  {
    acceptInvitation: null as string | null,
    magicLink: null as string | null,
    members: null as string | null,
    resetPassword: null as string | null,
    signIn: null as string | null,
    verifyEmail: null as string | null,
    /** Where browsers are sent with `?error=`, unless `onAPIError.errorURL` or the caller names another place. */
    error: null as string | null,
  },
  undefined,
  {
    acceptInvitation: address,
    magicLink: address,
    members: address,
    resetPassword: address,
    signIn: address,
    verifyEmail: address,
    error: address,
  },
)

type PageScope = Pick<Scope, 'options' | 'settings'>

/**
 * Where a link leads in the end: to the place that the caller named, unless that is the hosted screen, which is
 * replaced by the product's page and hands its query on.
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
