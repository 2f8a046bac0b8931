import type { Endpoints } from '../lib/auth/endpoints.ts'

/** Endpoints without a plug-in of the published client, with their methods. */
export const methods = {
  '/config': 'GET',
  '/avatar': 'POST',
  '/list-sign-in-methods': 'GET',
  '/step-up': 'POST',
  '/step-up/methods': 'GET',
  '/step-up/send-code': 'POST',
  '/step-up/passkey-options': 'GET',
  '/step-up/provider': 'POST',
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

/** Input and answers. The package's declarations spell them out and do not import the server's types. */
export type OwnEndpoints = Pick<Endpoints, keyof typeof methods>
