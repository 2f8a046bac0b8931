import type { Caller, Scope } from '../../../identity/scope.ts'
import { alphabets, randomString } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import type { AuthorizationCode, Granted } from './grant.ts'
import { methodsOf } from './methods.ts'

const kind = 'authorization-code'

/** Makes a code: 32 random characters that name a record which can be used once. The record's name is a hash. */
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

/** What the token request says of the code, each as the texts of which one has to be the code's. */
export interface CodeExpectations {
  clientId: string[]
  redirectUri: string[]
  keyThumbprint: string[]
  proof: string[]
}

/** Uses a code if the token request fits it, in one step; of any number of calls exactly one gets it. */
export const takeCode = (scope: Scope, code: string, expected: CodeExpectations) =>
  scope.records.take(kind, code, { expected: { ...expected } })
