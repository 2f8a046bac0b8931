import type { NewUser, User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { findUserByEmail, findUserById } from '../../../identity/users/users.store.ts'
import { bounded, timeouts } from '../../../platform/bounded.ts'
import { reasonOf } from '../../../platform/log.ts'
import { billingOptions, type CustomerMetadata } from '../billing.config.ts'
import { customerCreationFailed } from '../billing.errors.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import { anything, customerAnswer, customersAnswer } from '../provider/provider-answers.ts'

/** The user of a customer. The customer's external id at the provider is the user's id. */
export type Person = Pick<User, 'id' | 'email' | 'name' | 'emailVerified'>

type Metadata = Awaited<ReturnType<CustomerMetadata>>

/** `stranger`: the address is of a customer who may be another user; `to-link`: of one who can be linked later. */
export type Linking = 'created' | 'linked' | 'present' | 'stranger' | 'to-link'

/** The cost of `ensureCustomer`: at most three requests, each with one retry. */
const maxRequests = 6

/**
 * Creates the customer of a user exactly once: external ids are unique at the provider. A customer with the user's
 * address is linked only if the address is verified and the customer has no user yet.
 * @param isWritten false for a user whose insertion may fail: external ids are permanent, so no existing customer is
 *   linked, and a new customer is deleted if the insertion fails
 * @throws ProviderFailure
 */
export async function ensureCustomer(scope: Scope, person: Person, isWritten = true): Promise<Linking> {
  const { id, email, name, emailVerified } = person
  const { items } = await askProvider(scope, customersAnswer, ({ customers }) => customers.list({ email }))
  const namesake = items.find((customer) => customer.email?.toLowerCase() === email)
  if (namesake) {
    if (namesake.external_id === id) return 'present'
    if (namesake.external_id || !emailVerified) return 'stranger'
    if (!isWritten) return 'to-link'
    const changes = { external_id: id, ...(await extrasOf(scope, person)) }
    await askProvider(scope, anything, ({ customers }) => customers.update(namesake.id, changes))
    return 'linked'
  }
  const values = { external_id: id, email, name, ...(await extrasOf(scope, person)) }
  if (!isWritten) scope.after(() => dropUnlessWritten(scope, id))
  try {
    await askProvider(scope, customerAnswer, ({ customers }) => customers.create(values))
    return 'created'
  } catch (thrown) {
    // An earlier attempt has created it: its response was lost, or the address was different.
    if (isRefusal(thrown) && (await isKnown(scope, id))) return 'present'
    throw thrown
  }
}

/** A failed sign-up leaves no customer: the next user with that address could not be linked to it. */
async function dropUnlessWritten(scope: Scope, userId: string): Promise<void> {
  if (await findUserById(scope.db, userId)) return
  const work = unitOfWork(scope)
  work.defer('billing-customer-deletion', { userId })
  await work.commit()
}

async function extrasOf(scope: Scope, { id, email, name }: Person): Promise<{ metadata?: Metadata }> {
  const { customerMetadata } = billingOptions.of(scope)
  if (!customerMetadata) return {}
  const ask = async () => customerMetadata({ id, email, name })
  return { metadata: await bounded('billing.customerMetadata', timeouts.required, ask) }
}

const isRefusal = (thrown: unknown): thrown is ProviderFailure => thrown instanceof ProviderFailure && !thrown.isOutage

async function isKnown(scope: Scope, id: string): Promise<boolean> {
  try {
    await askProvider(scope, customerAnswer, ({ customers }) => customers.getExternal(id))
    return true
  } catch (thrown) {
    if (thrown instanceof ProviderFailure && thrown.status === 404) return false
    throw thrown
  }
}

/** Sends the current address and name of a user to the provider, or creates the customer. @throws ProviderFailure */
async function updateCustomer(scope: Scope, person: Person): Promise<void> {
  const { id, email, name } = person
  try {
    await askProvider(scope, anything, ({ customers }) => customers.updateExternal(id, { email, name }))
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure && thrown.status === 404)) throw thrown
    await ensureCustomer(scope, person)
  }
}

/** A guest and a user who only has a phone number have no address for bills. */
const isCustomer = ({ isAnonymous, emailIsPlaceholder }: Pick<NewUser, 'isAnonymous' | 'emailIsPlaceholder'>) =>
  !isAnonymous && !emailIsPlaceholder

/** Creates the customer of a new user before the user is written (billing.onSignUp). @returns whether a job has to */
export async function isLeftToJob(scope: Scope, values: NewUser): Promise<boolean> {
  const { createCustomerOnSignUp, onSignUp } = billingOptions.of(scope)
  if (!createCustomerOnSignUp || !isCustomer(values)) return false
  const { id, email, name, emailVerified = false } = values
  if (onSignUp === 'outbox') return true
  scope.io.declare({ d1: 1, outside: maxRequests })
  // The batch rejects a taken address. No customer may remain in that case.
  if (await findUserByEmail(scope.db, email)) return false
  try {
    return (await ensureCustomer(scope, { id, email, name, emailVerified }, false)) === 'to-link'
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw customerCreationFailed(thrown.message)
    throw thrown
  }
}

/** Creates the customer of a user with the user's current values. */
export async function makeCustomerOf(scope: Scope, { userId }: { userId: string }): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (!user || !isCustomer(user)) return
  const linking = await ensureCustomer(scope, user)
  if (linking === 'stranger') scope.log('warn', 'billing-customer-not-linked', { userId, verified: user.emailVerified })
  if (linking === 'present') await updateCustomer(scope, user)
}

/** Sends the user's current values to the provider. A rejection (a taken address) is logged and not repeated. */
export async function updateCustomerOf(scope: Scope, { userId }: { userId: string }): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (!user || !isCustomer(user)) return
  try {
    await updateCustomer(scope, user)
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    scope.log('error', 'billing-customer-update-failed', { userId, reason: reasonOf(thrown) })
  }
}

/** Deletes the customer of a deleted user. */
export async function deleteCustomer(scope: Scope, { userId }: { userId: string }): Promise<void> {
  try {
    await askProvider(scope, anything, ({ customers }) => customers.deleteExternal(userId, { anonymize: true }))
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure && thrown.status === 404)) throw thrown
  }
}
