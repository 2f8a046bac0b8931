/**
 * What this isolate has heard of ended sessions. The session data cookie may outlive a session by its few minutes;
 * where the same isolate ended the session, it need not. Best effort by design: other isolates learn nothing.
 */

const ended = new Map<string, number>()
const kept = 10_000

function remember(key: string, until: number): void {
  if (ended.size >= kept) ended.delete(ended.keys().next().value!)
  ended.set(key, until)
}

/** @param until Unix time (ms) when no session data cookie issued before now can still be alive */
export const rememberRevokedToken = (token: string, until: number): void => remember(`token:${token}`, until)
export const rememberRevokedUser = (userId: string, until: number): void => remember(`user:${userId}`, until)

export const wasRevoked = (token: string, userId: string, now: number): boolean =>
  (ended.get(`token:${token}`) ?? 0) > now || (ended.get(`user:${userId}`) ?? 0) > now
