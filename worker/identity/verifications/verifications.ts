import { after } from '../../kit/time.ts'
import type { Scope } from '../scope.ts'
import type { User } from '../users/users.table.ts'

/**
 * Pending proofs of a person: the tokens behind links. Each lives in a Durable Object of its own, bound to its kind,
 * its user and the user's security version.
 */

interface Bound {
  userId: string
  securityVersion: number
}

export type VerificationResult<T> = { kind: 'valid'; data: T & Bound } | { kind: 'invalid' } | { kind: 'expired' }

/** Stores a token of `kind` for a user, for `expiresIn` seconds. */
export async function issueVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
  { user, expiresIn, ...data }: { user: User; expiresIn: number } & T,
): Promise<void> {
  const bound: Bound = { userId: user.id, securityVersion: user.securityVersion }
  await scope.records.put(kind, token, {
    value: JSON.stringify({ ...data, ...bound }),
    expiresAt: after(scope.now(), expiresIn).getTime(),
  })
}

/** Looks at a token without using it. */
export async function peekVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
): Promise<VerificationResult<T>> {
  const peeked = await scope.records.peek(kind, token)
  if (peeked.kind !== 'there') return { kind: peeked.kind === 'expired' ? 'expired' : 'invalid' }
  return { kind: 'valid', data: JSON.parse(peeked.value) }
}

/** Uses a token: of any number of parallel calls one gets it. */
export async function takeVerification<T extends object>(
  scope: Scope,
  kind: string,
  token: string,
): Promise<VerificationResult<T>> {
  const taken = await scope.records.take(kind, token)
  if (taken.kind !== 'taken') return { kind: taken.kind === 'expired' ? 'expired' : 'invalid' }
  return { kind: 'valid', data: JSON.parse(taken.value) }
}
