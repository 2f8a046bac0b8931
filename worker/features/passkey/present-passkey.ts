import { authenticatorName } from './authenticators.ts'
import type { Passkey } from './passkey.table.ts'

/** A passkey as answers show it. */
export type PresentedPasskey = Passkey & {
  /** What people call the authenticator, such as "iCloud Keychain"; null when it is not known. */
  authenticator: string | null
}

export const presentPasskey = (passkey: Passkey): PresentedPasskey => ({
  ...passkey,
  authenticator: authenticatorName(passkey.aaguid),
})
