import { open, seal } from '../../kit/encrypt.ts'
import { hmac } from '../../kit/hash.ts'
import { after, hours } from '../../kit/time.ts'
import { type KeyValue, keyValue } from '../../platform/kv.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'

/**
 * The records of mailed links. Each is sealed in KV under an HMAC of its kind and token: unguessable, written once and
 * read rarely, so that a random token costs one read and no Durable Object call. The use of a link is a row in D1
 * (used-records.ts), written in the batch of its effect.
 */

/** The user of the link; null if the address had no user. */
export interface Bound {
  userId: string | null
  securityVersion: number
}

export type VerificationResult<T> =
  | { kind: 'valid'; data: T & Bound; expiresAt: Date }
  | { kind: 'invalid' }
  | { kind: 'expired' }

/** How long an expired record is stored, so that "expired" can be distinguished from "never existed". */
const remembered = hours(1)

/** The prefix of the names in KV. */
export const linkPrefix = 'verification:'

const nameUnder = (secret: string, kind: string, token: string) =>
  `${linkPrefix}${hmac(secret, `verification:${kind}:${token}`)}`

const kvOf = ({ env, io }: Scope): KeyValue => keyValue(env.KV, io.used)

/** Stores the data of a token of `kind` for `expiresIn` seconds. */
export async function issueVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
  { user, expiresIn, ...data }: { user: User | null; expiresIn: number } & T,
): Promise<void> {
  const bound: Bound = { userId: user?.id ?? null, securityVersion: user?.securityVersion ?? 0 }
  const expiresAt = after(scope.now(), expiresIn).getTime()
  const sealed = await seal(scope.settings.secrets, JSON.stringify({ data: { ...data, ...bound }, expiresAt }))
  const put = () => kvOf(scope).put(nameUnder(scope.settings.secrets[0], kind, token), sealed, expiresIn + remembered)
  // The caller has the response and cannot request the mail again, so a failed write is retried once.
  await put().catch(put)
}

/** The record of a token. A link from before a rotation of the secret has its name under an earlier one. */
async function findSealed(scope: Scope, kind: string, token: string): Promise<string | null> {
  const [newest, ...earlier] = scope.settings.secrets
  const sealed = await kvOf(scope).get<string>(nameUnder(newest, kind, token))
  if (sealed !== null || earlier.length === 0) return sealed
  scope.io.declare({ kv: earlier.length })
  const found = await Promise.all(earlier.map((secret) => kvOf(scope).get<string>(nameUnder(secret, kind, token))))
  return found.find((text) => text !== null) ?? null
}

/**
 * Returns the data of a token. Reading does not use the token and does not show whether it was used.
 * @throws Fault if KV is unreachable
 */
export async function readVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
): Promise<VerificationResult<T>> {
  const sealed = await findSealed(scope, kind, token)
  if (sealed === null) return { kind: 'invalid' }
  const { data, expiresAt } = JSON.parse(await open(scope.settings.secrets, sealed)) as {
    data: T & Bound
    expiresAt: number
  }
  if (expiresAt <= scope.now().getTime()) return { kind: 'expired' }
  return { kind: 'valid', data, expiresAt: new Date(expiresAt) }
}

/**
 * Whether a link or code is valid for the current user of the address: it was created for that user and their security
 * version is the same, or it was created when the address had no user.
 */
export const speaksFor = ({ userId, securityVersion }: Bound, user: User | null): boolean =>
  userId === null || (userId === user?.id && securityVersion === user.securityVersion)
