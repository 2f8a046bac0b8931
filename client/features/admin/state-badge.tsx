import { useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { isBanned, type ManagedUser } from './rights.ts'
import { adminTexts } from './texts.ts'

/** What matters most about somebody's account, in a word. */
export function StateBadge({ user }: { user: ManagedUser }) {
  const t = useTexts(adminTexts)
  if (isBanned(user)) return <Badge tone="danger">{t.banned}</Badge>
  if (user.isAnonymous) return <Badge>{t.guest}</Badge>
  if (!user.emailVerified) return <Badge tone="warning">{t.unverified}</Badge>
  return <Badge tone="success">{t.active}</Badge>
}
