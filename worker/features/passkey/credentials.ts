import type { Scope } from '../../identity/scope.ts'
import { passkeyOptions } from './passkey.config.ts'
import type { Passkey } from './passkey.table.ts'

/** EdDSA, ES256, RS256: the algorithms of authenticators in use (COSE algorithms, RFC 9053 and RFC 8812). */
export const supportedAlgorithms = [-8, -7, -257]

/** Whether to reject an authenticator that does not verify its user. */
export const demandsVerification = (scope: Scope): boolean =>
  passkeyOptions.of(scope).authenticatorSelection.userVerification === 'required'

/** A passkey in the options of a ceremony, with the transports for the browser. */
export const describeCredential = ({ credentialID, transports }: Passkey) => ({
  id: credentialID,
  ...(transports ? { transports: transports.split(',') } : {}),
})
