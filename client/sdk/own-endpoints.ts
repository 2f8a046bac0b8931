import type { Endpoints } from '../lib/auth/endpoints.ts'

/** The endpoints that the published client has no plug-in for, and how each is called. */
export const methods = {
  '/config': 'GET',
  '/avatar': 'POST',
  '/list-sign-in-methods': 'GET',
  '/change-email/pending': 'GET',
  '/change-email/cancel': 'POST',
  '/admin/audit': 'GET',
  '/admin/get-user': 'GET',
  '/oauth2/connections': 'GET',
  '/oauth2/delete-connection': 'POST',
  '/oauth2/clients': 'GET',
  '/oauth2/update-client': 'POST',
  '/oauth2/rotate-client-secret': 'POST',
  '/oauth2/delete-client': 'POST',
  '/customer/state': 'GET',
  '/customer/benefits/list': 'GET',
  '/customer/orders/list': 'GET',
  '/customer/subscriptions/list': 'GET',
  '/usage/meters/list': 'GET',
  '/usage/ingest': 'POST',
} as const satisfies { [Path in keyof Endpoints]?: Endpoints[Path]['method'] }

/** What they take and answer. In the package's types this is spelled out, so that nothing of the server comes along. */
export type OwnEndpoints = Pick<Endpoints, keyof typeof methods>
