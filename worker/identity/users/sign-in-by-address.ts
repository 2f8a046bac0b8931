import type { Statement } from '../../platform/statements.ts'
import type { SignInMethod } from '../lifecycle.ts'
import type { Scope } from '../scope.ts'
import { completeSignIn, type SignInResult } from '../sign-in.ts'
import { proveAddress } from './prove-address.ts'
import { coreErrors as core } from './users.errors.ts'
import { findUserByEmail } from './users.store.ts'
import type { User } from './users.table.ts'
import { draftUser, isAddressTaken, userCreated } from './users.ts'

/** What proved an address: a mailed link or code, and the statement that uses it up. */
interface AddressProof {
  email: string
  /** The name of whoever is new. */
  name: string
  method: SignInMethod
  use: Statement
}

/**
 * Whoever has proven an address signs in, with the account that has it or with a new one. The use of the proof, the
 * person and the session are one batch.
 * @param found the account that has the address
 * @throws FAILED_TO_CREATE_USER; what completeSignIn throws, such as the violation that `isUsedAlready` knows, and
 *   `isUnmetDemand` where another proof has just verified the address
 */
export async function signInByAddress(scope: Scope, found: User | null, proof: AddressProof): Promise<SignInResult> {
  if (found) return enter(scope, found, proof)
  const { email, name, method, use } = proof
  const { user, statements } = await draftUser(scope, { email, name, emailVerified: true }, null)
  try {
    const alongside = [use, ...statements]
    const result = await completeSignIn(scope, { user, method, proven: 'creation', alongside })
    await userCreated(scope, user)
    return result
  } catch (thrown) {
    if (!isAddressTaken(thrown)) throw thrown
    // Somebody has got the address since it was looked for; it is proven all the same.
    const holder = await findUserByEmail(scope.db, email)
    if (!holder) throw core.FAILED_TO_CREATE_USER()
    return enter(scope, holder, proof)
  }
}

async function enter(scope: Scope, user: User, { method, use }: AddressProof): Promise<SignInResult> {
  const proven = proveAddress(scope, user)
  const result = await completeSignIn(scope, {
    user: proven.user,
    method,
    proven: 'possession',
    alongside: [use, ...proven.statements],
  })
  await proven.written()
  return result
}
