import { remembered } from '../../lib/store.ts'

/**
 * A change of the address that waits for its link to be opened. The server keeps it only inside that link, so this
 * browser remembers it, for as long as the link is valid.
 */
const hour = 3_600_000
const keyOf = (userId: string) => `pendingEmail:${userId}`

export function rememberPendingEmail(userId: string, email: string, now = Date.now()): void {
  remembered.set(keyOf(userId), JSON.stringify({ email, until: now + hour }))
}

export function forgetPendingEmail(userId: string): void {
  remembered.set(keyOf(userId), null)
}

/** The waited-for address, unless the change has happened or its link has expired. */
export function pendingEmail(user: { id: string; email: string }, now = Date.now()): string | null {
  const stored = parse(remembered.get(keyOf(user.id)))
  return stored && stored.until > now && stored.email !== user.email ? stored.email : null
}

function parse(text: string | null): { email: string; until: number } | null {
  try {
    const stored = JSON.parse(text ?? 'null')
    return typeof stored?.email === 'string' && typeof stored.until === 'number' ? stored : null
  } catch {
    return null
  }
}
