import { lazy, type ReactNode } from 'react'
import { useSearch } from 'wouter'
import { useCallbackCheck } from '../lib/callback-check.ts'
import { continuationOf } from '../lib/continuation.ts'
import { ownOrigin } from '../lib/deployment.ts'
import { Skeleton } from '../ui/state.tsx'

const RejectedCallback = lazy(() => import('./rejected-callback.tsx'))

/** Shows a signed-out screen only after the server has allowed its callback. */
export function CheckedCallback({ children }: { children: ReactNode }) {
  const { callbackURL, host, path } = continuationOf(useSearch(), ownOrigin())
  const [result, retry] = useCallbackCheck(path ? undefined : callbackURL)
  if (result === 'allowed') return children
  if (result === null) return <Skeleton lines={5} />
  return <RejectedCallback result={result} host={host} retry={retry} />
}
