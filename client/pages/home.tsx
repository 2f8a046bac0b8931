import { Redirect } from 'wouter'
import { auth } from '../lib/api.ts'
import { ErrorPanel, Skeleton } from '../ui/state.tsx'

/** The start page is the account's first screen, or the sign-in. */
export default function Home() {
  const { data, error, isPending, isRefetching, refetch } = auth.useSession()
  if (data) return <Redirect to="/account/profile" replace />
  if (isPending || isRefetching) return <Skeleton />
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return <Redirect to="/sign-in" replace />
}
