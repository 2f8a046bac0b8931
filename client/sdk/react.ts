import type { Parsed } from '../lib/auth/types.ts'
import { createView, useView, type Watched } from '../lib/auth/view.ts'
import type { GatehouseClient } from './client.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

export type { Watched } from '../lib/auth/view.ts'

type Answer<Path extends keyof OwnEndpoints> = Parsed<OwnEndpoints[Path]['answer']>

/** Each loads on the first look, keeps its last good answer while it asks again, and has `refetch()`. */
export interface GatehouseHooks {
  /** What this deployment is called, looks like and can do. */
  useConfig(): Watched<Answer<'/config'>>
  /** How the caller has signed in, and when. */
  useSignInMethods(): Watched<Answer<'/list-sign-in-methods'>>
  /** The address that the caller wants to change to, until its mail is confirmed. */
  usePendingEmail(): Watched<Answer<'/change-email/pending'>>
  /** What the caller has paid for. */
  useCustomerState(): Watched<Answer<'/customer/state'>>
}

/** Hooks over one client: `const { useConfig } = createGatehouseHooks(client)`, once, outside of components. */
export function createGatehouseHooks(client: GatehouseClient): GatehouseHooks {
  const config = createView(() => client.config())
  const methods = createView(() => client.listSignInMethods())
  const pending = createView(() => client.changeEmail.pending())
  const customer = createView(() => client.customer.state())
  return {
    useConfig: () => useView(config),
    useSignInMethods: () => useView(methods),
    usePendingEmail: () => useView(pending),
    useCustomerState: () => useView(customer),
  }
}
