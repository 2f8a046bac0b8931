import { useState } from 'react'
import type { KnownAccount } from '../../worker/kit/known-account.ts'
import { auth, useConfig } from './api.ts'
import { useView } from './auth/use-view.ts'
import { createView } from './auth/view.ts'
import { given } from './given.ts'
import { usePlace } from './place.ts'

export type { KnownAccount }

// The accounts that have signed in with this browser. The page has them if it was opened without a session.

const none = createView(async () => ({ data: { accounts: [] as KnownAccount[] }, error: null }), {
  known: { accounts: [] },
})
export const knownAccounts = createView(
  () => auth.knownAccounts.list(),
  given.hasSession ? {} : { known: { accounts: given.known ?? [] } },
)

/** A sign-in has changed the list: the next sign-in screen loads it. */
let isStale = false
if (globalThis.document) {
  auth.$onChange((signals) => {
    if (signals.has('session')) isStale = true
  })
}

/** Null until it is known. Pages of products, which may be of another origin, do not get it. */
export function useKnownAccounts(): readonly KnownAccount[] | null {
  const { features } = useConfig()
  const { page } = usePlace()
  const isShown = features.knownAccounts && !page
  useState(() => {
    if (isStale) knownAccounts.clear()
    isStale = false
  })
  const { data, error } = useView(isShown ? knownAccounts : none)
  return data?.accounts ?? (error ? [] : null)
}
