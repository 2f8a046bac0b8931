import type { Parsed, Result } from '../lib/auth/types.ts'
import { createView, useView, type View, type Watched } from '../lib/auth/view.ts'
import type { GatehouseClient } from './client.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

export type { Watched } from '../lib/auth/view.ts'

type Answer<Path extends keyof OwnEndpoints> = Parsed<OwnEndpoints[Path]['answer']>

/**
 * Each loads when a component first looks, keeps its last good answer while it asks again, and has `refetch()`. What is
 * the caller's own is asked for again when the page comes back to the front, so that a session that has ended elsewhere
 * is noticed: then `data` is null and `error.status` 401.
 */
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
  const methods = createOwnView(() => client.listSignInMethods())
  const pending = createOwnView(() => client.changeEmail.pending())
  const customer = createOwnView(() => client.customer.state())
  return {
    useConfig: () => useView(config),
    useSignInMethods: () => useView(methods),
    usePendingEmail: () => useView(pending),
    useCustomerState: () => useView(customer),
  }
}

/** Whether there is a page that can come back to the front; on a phone without a browser there is none. */
const hasPage = typeof document !== 'undefined'

/** What is the caller's own is forgotten when nobody looks any more: the next to look may be somebody else. */
function createOwnView<Data>(load: () => Promise<Result<Data>>): View<Data> {
  const view = createView(load)
  let lookers = 0
  const onReturn = () => {
    if (document.visibilityState === 'visible') view.invalidate()
  }
  return {
    ...view,
    subscribe(listener) {
      lookers++
      if (lookers === 1 && hasPage) document.addEventListener('visibilitychange', onReturn)
      const leave = view.subscribe(listener)
      return () => {
        leave()
        lookers--
        if (lookers > 0) return
        if (hasPage) document.removeEventListener('visibilitychange', onReturn)
        // Later, because React also leaves in order to come back at once.
        setTimeout(() => lookers === 0 && view.clear())
      }
    },
  }
}
