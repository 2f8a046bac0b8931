import { auth, useMember } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useNotMine } from '../../ui/own-session.tsx'

/** The sessions of the user. An administrator who acts as the user does not see them. */
export function useOwnSessions() {
  const mine = useNotMine() === null
  const { session } = useMember()
  return useQuery(['sessions', session.id], () => auth.listSessions(), mine)
}
