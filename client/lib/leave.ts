import { deployment } from './deployment.ts'

/**
 * Opens another document. The app calls `location.assign` and `location.replace` nowhere else.
 * @param to an http(s) address, absolute or relative; or one with a private-use scheme, which has a dot (RFC 8252,
 * section 7.1) and comes only from the server, as the redirect URI of a native application
 * @throws for every other scheme, such as `javascript:`
 */
export function leave(to: string, { replace = false }: { replace?: boolean | undefined } = {}): void {
  const { protocol, href } = new URL(to, deployment.origin || location.href)
  if (!/^https?:$|\./.test(protocol)) throw new Error(`not an address to go to: ${protocol}`)
  if (deployment.open?.(href)) return
  if (replace) location.replace(href)
  else location.assign(href)
}
