import type { Parsed, Result } from '../lib/auth/types.ts'
import { createView, useView, type View, type Watched } from '../lib/auth/view.ts'
import type { GatehouseClient } from './client.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

export type { Watched } from '../lib/auth/view.ts'

type Answer<Path extends keyof OwnEndpoints> = Parsed<OwnEndpoints[Path]['answer']>

/**
 * Each hook loads on its first use, keeps the last data while it refreshes, and has `refetch()`. The user's own data is
 * loaded again when the page becomes visible, so that an ended session is noticed: then `data` is null and
 * `error.status` is 401.
 */
export interface GatehouseHooks {
  /** Name, brand and features of this deployment. */
  useConfig(): Watched<Answer<'/config'>>
  /** The user's ways to sign in, with their last use. */
  useSignInMethods(): Watched<Answer<'/list-sign-in-methods'>>
  /** The address that the user wants to change to, until they confirm it. */
  usePendingEmail(): Watched<Answer<'/change-email/pending'>>
  /** The user's purchases. */
  useCustomerState(): Watched<Answer<'/customer/state'>>
}

/** Creates hooks for a client, once, outside of components: `const { useConfig } = createGatehouseHooks(client)`. */
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

/** False in mobile applications without a document. */
const hasPage = typeof document !== 'undefined'

/** A view that is cleared without subscribers: the next subscriber may be another user. */
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
        // Delayed, because React unsubscribes and subscribes again.
        setTimeout(() => lookers === 0 && view.clear())
      }
    },
  }
}
