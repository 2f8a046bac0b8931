/**
 * The ended sessions that this isolate knows. The session data cookie may outlive a session by a few minutes; an
 * isolate that ended the session rejects it. Best effort: other isolates do not know.
 */

const ended = new Map<string, number>()
const kept = 10_000

function remember(key: string, until: number): void {
  if (ended.size >= kept) ended.delete(ended.keys().next().value!)
  ended.set(key, until)
}

/** @param until Unix time (ms) after which no session data cookie from before now is valid */
export const rememberRevokedToken = (token: string, until: number): void => remember(`token:${token}`, until)
export const rememberRevokedUser = (userId: string, until: number): void => remember(`user:${userId}`, until)

export const wasRevoked = (token: string, userId: string, now: number): boolean =>
  (ended.get(`token:${token}`) ?? 0) > now || (ended.get(`user:${userId}`) ?? 0) > now
