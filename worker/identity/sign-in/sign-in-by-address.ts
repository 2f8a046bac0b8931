import { proveAddress } from '../accounts/prove-address.ts'
import { addUser } from '../accounts/users.ts'
import type { SignInMethod } from '../lifecycle.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { coreErrors as core } from '../users/users.errors.ts'
import { findUserByEmail } from '../users/users.store.ts'
import type { BatchError, SingleUse } from '../work.ts'
import { completeSignIn, type SignInResult } from './sign-in.ts'

/** The proof of an address: a mailed link or code, which the sign-in uses. */
interface AddressProof {
  email: string
  /** The name of a new user. */
  name: string
  method: SignInMethod
  use: SingleUse
  /** Thrown if the proof was used, or another proof has just verified the address. */
  stale: BatchError
}

/**
 * Signs in the user who proved an address: with the account that has it, or with a new one. The use of the proof, the
 * user and the session are one batch.
 * @param found the account that has the address
 * @throws FAILED_TO_CREATE_USER, `stale` of the proof, and the errors of completeSignIn
 */
export async function signInByAddress(scope: Scope, found: User | null, proof: AddressProof): Promise<SignInResult> {
  if (found) return enter(scope, found, proof)
  const { email, name, method, use, stale } = proof
  const work = unitOfWork(scope, stale)
  work.use(use)
  const user = await addUser(scope, work, { email, name, emailVerified: true }, null)
  const taken = new Error('the address is taken')
  work.unique('users.email', () => taken)
  try {
    return await completeSignIn(scope, work, { user, method, proven: 'creation' })
  } catch (thrown) {
    if (thrown !== taken) throw thrown
    // Another request has created the account since the read. The proof is still valid for it.
    const holder = await findUserByEmail(scope.db, email)
    if (!holder) throw core.FAILED_TO_CREATE_USER()
    return enter(scope, holder, proof)
  }
}

async function enter(scope: Scope, user: User, { method, use, stale }: AddressProof): Promise<SignInResult> {
  const work = unitOfWork(scope, stale)
  work.use(use)
  const proven = proveAddress(scope, work, user)
  return completeSignIn(scope, work, { user: proven, method, proven: 'possession' })
}
