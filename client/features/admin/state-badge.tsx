import type { User } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { isBanned } from './rights.ts'
import { adminTexts } from './texts.ts'

export function StateBadge({ user }: { user: User }) {
  const t = useTexts(adminTexts)
  if (isBanned(user)) return <Badge tone="danger">{t.banned}</Badge>
  if (user.isAnonymous) return <Badge>{t.guest}</Badge>
  if (!user.emailVerified) return <Badge tone="warning">{t.unverified}</Badge>
  return <Badge tone="success">{t.active}</Badge>
}
