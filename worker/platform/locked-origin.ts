import { bounded, timeouts } from './bounded.ts'

/** Version addresses (`1a2b3c4d-acme.example.workers.dev`) end with the next version. */
const isPreview = (hostname: string) => /^[0-9a-f]{8}-[^.]+\.[^.]+\.workers\.dev$/.test(hostname)

/**
 * The origin that a request offers as the public origin of the deployment; null if it may not. Only an address at
 * workers.dev counts, because Cloudflare assigns it to one Worker: a stranger can request any host of a wildcard route,
 * with any header. The header keeps monitoring from locking an address, and protects nothing.
 */
export function offeredOrigin(request: Request): string | null {
  const { protocol, port, hostname, origin } = new URL(request.url)
  const opensPage = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  const isAssigned = /^[^.]+\.[^.]+\.workers\.dev$/.test(hostname) && !isPreview(hostname)
  return opensPage && protocol === 'https:' && port === '' && isAssigned ? origin : null
}

/**
 * Returns the public origin that the deployment has locked, and locks `offered` if no origin is locked. The first
 * writer wins: later ones get its origin.
 * @returns null if no origin is locked and no origin was offered @throws Fault
 */
export async function lockedOrigin(db: D1Database, offered: string | null, now: Date): Promise<string | null> {
  const primary = db.withSession('first-primary')
  const read = primary.prepare('SELECT base_url FROM deployment WHERE id = 1')
  const found = await bounded('D1', timeouts.required, () => read.first<string>('base_url'))
  if (found !== null || offered === null) return found
  const lock = primary
    .prepare(
      'INSERT INTO deployment (id, base_url, locked_at) VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET id = id RETURNING base_url',
    )
    .bind(offered, now.getTime())
  return bounded('D1', timeouts.required, () => lock.first<string>('base_url'))
}
