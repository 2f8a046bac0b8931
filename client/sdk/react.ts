import { useState, useSyncExternalStore } from 'react'
import type { AccountTypes, AnyAccounts } from '../../worker/kit/account-types.ts'
import type { Signal } from '../lib/auth/core.ts'
import type { LiveChange } from '../lib/auth/live.ts'
import type { Parsed, Result } from '../lib/auth/types.ts'
import { useView, type Watched } from '../lib/auth/use-view.ts'
import { createView, type View } from '../lib/auth/view.ts'
import type { GatehouseClient, SessionAnswer } from './client.ts'
import type { EndpointsOf } from './endpoints.ts'

export type { Watched } from '../lib/auth/use-view.ts'

type Answer<Path extends keyof EndpointsOf<P>, P extends AccountTypes> = Parsed<EndpointsOf<P>[Path]['answer']>

/**
 * Each hook loads on its first use, keeps the last data while it refreshes, and has `refetch()`. The user's own data is
 * loaded again after calls of the client that change it, when the page becomes visible, and with `live` after each change
 * on any device, so that an ended session is noticed: then `data` is null and `error.status` is 401.
 */
export interface GatehouseHooks<P extends AccountTypes = AnyAccounts> {
  /**
   * The session and its user. `data` is null for a visitor, and while `isPending`.
   * @param known the session that the server has read for this page (a loader, a server component), null for a visitor:
   *   the first render has it on both sides, and no request is made for it
   */
  useSession(known?: KnownSession<P>): Watched<SessionAnswer<P>>
  /** The organizations of the user. */
  useOrganizations(): Watched<Answer<'/organization/list', P>>
  /** The active organization with its members; null without one. */
  useActiveOrganization(): Watched<Answer<'/organization/get-full-organization', P>>
  /** Name, brand and features of this deployment. */
  useConfig(): Watched<Answer<'/config', P>>
  /** The user's ways to sign in, with their last use. */
  useSignInMethods(): Watched<Answer<'/list-sign-in-methods', P>>
  /** The address that the user wants to change to, until they confirm it. */
  usePendingEmail(): Watched<Answer<'/change-email/pending', P>>
  /** The user's purchases. */
  useCustomerState(): Watched<Answer<'/customer/state', P>>
}

export interface GatehouseHooksOptions {
  /** Opens a WebSocket while a component shows data of the user. @default false */
  live?: boolean
}

/** A session as a server reads it: `caller`, or what get-session answers. */
export type KnownSession<P extends AccountTypes = AnyAccounts> = Pick<
  NonNullable<SessionAnswer<P>>,
  'session' | 'user'
> | null

/** Creates hooks for a client, once, outside of components: `const { useSession } = createGatehouseHooks(client)`. */
export function createGatehouseHooks<P extends AccountTypes = AnyAccounts>(
  client: GatehouseClient<P>,
  { live }: GatehouseHooksOptions = {},
): GatehouseHooks<P> {
  // Without its own types: what the product adds does not change how the calls are made.
  const plain = client as unknown as GatehouseClient
  const channel = live ? shared(plain) : null
  const own = <Data>(load: () => Promise<Result<Data>>, changes: LiveChange[], signals: Signal[] = []) =>
    createOwnView(createView(load), channel, changes, afterCalls(plain, signals))
  const sessions = createOwnView(client.$session, channel, ['user', 'sessions'])
  const organizations = own(() => plain.organization.list(), ['organizations'], ['organizations'])
  const active = own(
    () => plain.organization.getFullOrganization(),
    ['organizations', 'sessions'],
    ['activeOrganization', 'activeMember'],
  )
  const config = createView(() => plain.config())
  const methods = own(() => plain.listSignInMethods(), ['credentials', 'sessions'], ['passkeys'])
  const pending = own(() => plain.changeEmail.pending(), ['credentials', 'user'])
  const customer = own(() => plain.customer.state(), ['purchases'])
  return {
    useSession: knownView(sessions),
    useOrganizations: () => useView(organizations),
    useActiveOrganization: () => useView(active),
    useConfig: () => useView(config),
    useSignInMethods: () => useView(methods),
    usePendingEmail: () => useView(pending),
    useCustomerState: () => useView(customer),
  } as GatehouseHooks<P>
}

/** A hook for a view that the server may have read for the page. */
function knownView<Data>(view: View<Data>): (known?: Data) => Watched<Data> {
  let isPrimed = false
  return (known) => {
    const [atFirst] = useState(() => {
      // After the first page the client knows more than the server did.
      if (known === undefined || isPrimed) return view.get()
      // On a server all requests share the view.
      isPrimed = hasPage
      if (hasPage) view.prime(known)
      return { data: known, error: null, isPending: false, isRefetching: false }
    })
    const state = useSyncExternalStore(view.subscribe, view.get, () => atFirst)
    return { ...state, refetch: view.refetch }
  }
}

/** Listens for calls that change data. @returns a function that starts to listen, and returns one that ends it */
const afterCalls =
  (client: GatehouseClient, signals: Signal[]) =>
  (invalidate: () => void): (() => void) =>
    client.$onChange((changed) => {
      if (signals.some((signal) => changed.has(signal))) invalidate()
      else if (changed.has('session')) afterSession(client.$session, invalidate)
    })

/**
 * Invalidates once the session is known again: it may be one of another user. Without one the components that show the data may
 * be removed, and then nothing is loaded.
 */
function afterSession(session: GatehouseClient['$session'], invalidate: () => void): void {
  if (!session.get().isRefetching) {
    invalidate()
    return
  }
  const leave = session.observe(() => {
    if (session.get().isRefetching) return
    leave()
    setTimeout(invalidate)
  })
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
 * @param listen calls its argument after calls of the client that change the data
 * @param changes those after which it is loaded again
 */
function createOwnView<Data>(
  view: View<Data>,
  channel: Channel | null,
  changes: LiveChange[],
  listen?: (invalidate: () => void) => () => void,
): View<Data> {
  let leaveCalls: (() => void) | undefined
  let leaveChannel: (() => void) | undefined
  let lookers = 0
  const onReturn = () => {
    if (document.visibilityState === 'visible') view.invalidate()
  }
  return {
    ...view,
    subscribe(listener) {
      lookers++
      if (lookers === 1) leaveCalls = listen?.(() => view.invalidate())
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
        leaveCalls?.()
        if (hasPage) document.removeEventListener('visibilitychange', onReturn)
        leaveChannel?.()
        // Delayed, because React unsubscribes and subscribes again.
        setTimeout(() => lookers === 0 && view.clear())
      }
    },
  }
}
