import { Redirect } from 'wouter'
import { auth } from '../lib/api.ts'
import { Skeleton } from '../ui/state.tsx'
import { Unavailable } from '../ui/unavailable.tsx'

export default function Home() {
  const { data, error, isPending, isRefetching, refetch } = auth.useSession()
  if (data) return <Redirect to="/account/profile" replace />
  if (isPending || isRefetching) return <Skeleton />
  if (error) return <Unavailable error={error} onRetry={() => void refetch()} />
  return <Redirect to="/sign-in" replace />
}
