import { open, seal } from '../../kit/encrypt.ts'
import { hmac } from '../../kit/hash.ts'
import { after, hours } from '../../kit/time.ts'
import type { Scope } from '../scope.ts'
import type { User } from '../users/users.table.ts'

/**
 * The records behind mailed links. Each is sealed in KV under an HMAC of its kind and token: unguessable, written
 * once and read rarely, so that a random token costs one read and wakes no object. That a link was used is a row in
 * D1 (used-records.ts), written in the batch that does what the link is for.
 */

/** Who a link was made for: null when nobody had the address yet. */
export interface Bound {
  userId: string | null
  securityVersion: number
}

export type VerificationResult<T> =
  | { kind: 'valid'; data: T & Bound; expiresAt: Date }
  | { kind: 'invalid' }
  | { kind: 'expired' }

/** How long an expired record is kept, so that "expired" can be told from "never was". */
const remembered = hours(1)

const nameUnder = (secret: string, kind: string, token: string) =>
  `verification:${hmac(secret, `verification:${kind}:${token}`)}`

/** Stores what a token of `kind` stands for, for `expiresIn` seconds. */
export async function issueVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
  { user, expiresIn, ...data }: { user: User | null; expiresIn: number } & T,
): Promise<void> {
  const bound: Bound = { userId: user?.id ?? null, securityVersion: user?.securityVersion ?? 0 }
  const expiresAt = after(scope.now(), expiresIn).getTime()
  const sealed = await seal(scope.settings.secrets, JSON.stringify({ data: { ...data, ...bound }, expiresAt }))
  const put = () => scope.kv.put(nameUnder(scope.settings.secrets[0], kind, token), sealed, expiresIn + remembered)
  // Nobody waits for it any more who could ask for the mail again: it is tried once more.
  await put().catch(put)
}

/**
 * What a token stands for. Reading does not use it, and does not tell whether it was used.
 * @throws Fault when KV cannot be reached
 */
export async function readVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
): Promise<VerificationResult<T>> {
  const sealed = await scope.kv.get<string>(nameUnder(scope.settings.secrets[0], kind, token))
  if (sealed === null) return { kind: 'invalid' }
  const { data, expiresAt } = JSON.parse(await open(scope.settings.secrets, sealed)) as {
    data: T & Bound
    expiresAt: number
  }
  if (expiresAt <= scope.now().getTime()) return { kind: 'expired' }
  return { kind: 'valid', data, expiresAt: new Date(expiresAt) }
}

/**
 * Whether a link or code may still speak for whoever has the address now: it was made for them and nothing has ended
 * what is pending since, or it was made when nobody had the address.
 */
export const speaksFor = ({ userId, securityVersion }: Bound, user: User | null): boolean =>
  userId === null || (userId === user?.id && securityVersion === user.securityVersion)
