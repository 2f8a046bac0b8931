import type { LiveChange } from '../lib/auth/live.ts'
import type { Parsed, Result } from '../lib/auth/types.ts'
import { createView, useView, type View, type Watched } from '../lib/auth/view.ts'
import type { GatehouseClient } from './client.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

export type { Watched } from '../lib/auth/view.ts'

type Answer<Path extends keyof OwnEndpoints> = Parsed<OwnEndpoints[Path]['answer']>

/**
 * Each hook loads on its first use, keeps the last data while it refreshes, and has `refetch()`. The user's own data is
 * loaded again when the page becomes visible, and with `live` after each change on any device, so that an ended session
 * is noticed: then `data` is null and `error.status` is 401.
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

export interface GatehouseHooksOptions {
  /** Opens a WebSocket while a component shows data of the user. @default false */
  live?: boolean
}

/** Creates hooks for a client, once, outside of components: `const { useConfig } = createGatehouseHooks(client)`. */
export function createGatehouseHooks(client: GatehouseClient, { live }: GatehouseHooksOptions = {}): GatehouseHooks {
  const channel = live ? shared(client) : null
  const config = createView(() => client.config())
  const methods = createOwnView(() => client.listSignInMethods(), channel, ['credentials', 'sessions'])
  const pending = createOwnView(() => client.changeEmail.pending(), channel, ['credentials', 'user'])
  const customer = createOwnView(() => client.customer.state(), channel, ['purchases'])
  return {
    useConfig: () => useView(config),
    useSignInMethods: () => useView(methods),
    usePendingEmail: () => useView(pending),
    useCustomerState: () => useView(customer),
  }
}

/** False in mobile applications without a document. */
const hasPage = typeof document !== 'undefined'

type Channel = (listener: (changed: ReadonlySet<LiveChange> | null) => void) => () => void

/** One connection for all listeners. They get null after the end of the session. */
function shared(client: GatehouseClient): Channel {
  const listeners = new Set<Parameters<Channel>[0]>()
  const announce: Parameters<Channel>[0] = (changed) => {
    for (const listener of listeners) listener(changed)
  }
  let close: (() => void) | undefined
  return (listener) => {
    listeners.add(listener)
    close ??= client.$live({ onChange: announce, onEnd: () => announce(null) })
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      close?.()
      close = undefined
    }
  }
}

/**
 * A view that is cleared without subscribers: the next subscriber may be another user.
 * @param changes those after which it is loaded again
 */
function createOwnView<Data>(
  load: () => Promise<Result<Data>>,
  channel: Channel | null,
  changes: LiveChange[],
): View<Data> {
  const view = createView(load)
  let leaveChannel: (() => void) | undefined
  let lookers = 0
  const onReturn = () => {
    if (document.visibilityState === 'visible') view.invalidate()
  }
  return {
    ...view,
    subscribe(listener) {
      lookers++
      if (lookers === 1 && hasPage) {
        document.addEventListener('visibilitychange', onReturn)
        leaveChannel = channel?.((changed) => {
          if (!changed || changes.some((change) => changed.has(change))) view.invalidate()
        })
      }
      const leave = view.subscribe(listener)
      return () => {
        leave()
        lookers--
        if (lookers > 0) return
        if (hasPage) document.removeEventListener('visibilitychange', onReturn)
        leaveChannel?.()
        // Delayed, because React unsubscribes and subscribes again.
        setTimeout(() => lookers === 0 && view.clear())
      }
    },
  }
}
