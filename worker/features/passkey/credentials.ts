import type { Scope } from '../../identity/scope.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { Passkey } from './passkey.table.ts'

/** EdDSA, ES256, RS256: what authenticators in use can do (COSE algorithms, RFC 9053 and RFC 8812). */
export const supportedAlgorithms = [-8, -7, -257]

/** Whether an authenticator that does not verify its user is refused. */
export const demandsVerification = (scope: Scope): boolean =>
  passkeyOptions.of(scope).authenticatorSelection.userVerification === 'required'

/** A passkey as the options of a ceremony name it, so that the browser knows where to look. */
export const describeCredential = ({ credentialID, transports }: Passkey) => ({
  id: credentialID,
  ...(transports ? { transports: transports.split(',') } : {}),
})
