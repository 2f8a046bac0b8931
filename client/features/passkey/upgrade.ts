import { auth } from '../../lib/api.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { Displaced } from './ceremony.ts'
import { registerAutomatically } from './register.ts'

/** How long (ms) the browser may take: some neither create one nor say that they cannot. */
const patience = 10_000

/** Creates a passkey for a user who has none, without a question. @returns whether it was created */
export async function upgrade(): Promise<boolean> {
  const { data: existing } = await auth.passkey.listUserPasskeys()
  if (existing?.length !== 0) return false
  try {
    const { data } = await registerAutomatically(AbortSignal.timeout(patience))
    if (data) void refreshQueries('passkeys')
    return data !== null
  } catch (thrown) {
    // The time is over, or the user has started another ceremony.
    if (thrown instanceof Displaced) return false
    throw thrown
  }
}
