import { QueryClient, useQuery } from '@tanstack/react-query'
import { auth } from './api.ts'
import { errorOf, unwrap } from './call-error.ts'
import { typed } from './typed.ts'

/**
 * What the signed-in screens have loaded. Only code below the signed-in frame imports this file: the signed-out
 * screens do without react-query, and their first load with it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays a refusal; only what may have been a hiccup is asked again.
      retry: (count, thrown) => {
        const { status } = errorOf(thrown)
        return count < 2 && (status === 0 || status >= 502)
      },
    },
  },
})

// Whatever a call made out of date is the first part of a query's key: ['organizations'], ['passkeys', …].
auth.$onChange((signals) => {
  for (const signal of signals) void queryClient.invalidateQueries({ queryKey: [signal] })
})

// What one person has loaded is not shown to the next, nor to nobody.
let person = auth.$views.session.get().data?.user.id
auth.$views.session.subscribe(() => {
  const next = auth.$views.session.get().data?.user.id
  if (person && person !== next) {
    queryClient.clear()
    const { session: _session, ...others } = auth.$views
    for (const view of Object.values(others)) view.clear()
  }
  if (next) typed.set('')
  person = next
})

/** How a person can sign in: providers, and 'credential' for a password. */
export const useAccounts = () => useQuery({ queryKey: ['accounts'], queryFn: () => unwrap(auth.listAccounts()) })

export const hasPassword = (accounts: { provider: string }[]): boolean =>
  accounts.some(({ provider }) => provider === 'credential')
