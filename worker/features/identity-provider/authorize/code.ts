import type { Caller, Scope } from '../../../identity/scope.ts'
import { usedStatement } from '../../../identity/verifications/used-records.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { AuthorizationCode, Granted } from './grant.ts'
import { methodsOf } from './methods.ts'

const kind = 'authorization-code'

/** Makes a code: 32 random characters that name a record. The record's name is a hash. */
export async function issueCode(scope: Scope, granted: Granted, { user, session }: Caller): Promise<string> {
  const code = randomString(32, alphabets.lettersAndDigits)
  const value: AuthorizationCode = {
    ...granted,
    userId: user.id,
    sessionId: session.id,
    securityVersion: user.securityVersion,
    authTime: session.createdAt.getTime(),
    amr: methodsOf(session),
  }
  const expiresAt = after(scope.now(), identityProviderOptions.of(scope).codeExpiresIn).getTime()
  await scope.records.put(kind, code, { value: JSON.stringify(value), expiresAt })
  return code
}

/** A code's meaning, and until when it has one; null for none, or no more. Looking uses nothing. */
export async function readCode(
  scope: Scope,
  code: string,
): Promise<{ granted: AuthorizationCode; expiresAt: Date } | 'expired' | null> {
  const peeked = await scope.records.peek(kind, code)
  if (peeked.kind === 'expired') return 'expired'
  if (peeked.kind === 'missing') return null
  return { granted: JSON.parse(peeked.value) as AuthorizationCode, expiresAt: new Date(peeked.expiresAt) }
}

/** For the batch that writes the tokens: uses the code, once. */
export const codeUseStatement = (scope: Scope, code: string, expiresAt: Date) =>
  usedStatement(scope, kind, code, expiresAt)
