import type { Caller, Scope } from '../../../../identity/scope.ts'
import type { SingleUse } from '../../../../identity/work.ts'
import { alphabets, randomString } from '../../../../kit/random.ts'
import { after } from '../../../../kit/time.ts'
import { codeLifetime } from '../protocol/security-profile.ts'
import { type CodeGrant, grantedBy, type RequestedCode } from './grant.ts'

const kind = 'authorization-code'

/** Stores a grant under a new code of 32 random characters. The name of the record is a hash of the code. */
export async function issueAuthorizationCode(scope: Scope, requested: RequestedCode, caller: Caller): Promise<string> {
  const code = randomString(32, alphabets.lettersAndDigits)
  const expiresAt = after(scope.now(), codeLifetime(scope)).getTime()
  await scope.records.put(kind, code, { value: JSON.stringify(grantedBy(caller, requested)), expiresAt })
  return code
}

/** The grant behind a code, and when the code expires; null for an unknown code. Reading does not use the code. */
export async function readCode(
  scope: Scope,
  code: string,
): Promise<{ granted: CodeGrant; expiresAt: Date } | 'expired' | null> {
  const peeked = await scope.records.peek(kind, code)
  if (peeked.kind === 'expired') return 'expired'
  if (peeked.kind === 'missing') return null
  return { granted: JSON.parse(peeked.value) as CodeGrant, expiresAt: new Date(peeked.expiresAt) }
}

/** For the unit of work that writes the tokens. */
export const codeUse = (token: string, expiresAt: Date): SingleUse => ({ kind, token, expiresAt })
