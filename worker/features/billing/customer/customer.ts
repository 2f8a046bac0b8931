import type { Scope } from '../../../identity/scope.ts'
import { findUserByEmail, findUserById } from '../../../identity/users/users.store.ts'
import type { NewUser, User } from '../../../identity/users/users.table.ts'
import { bounded, patience } from '../../../platform/bounded.ts'
import { reasonOf } from '../../../platform/log.ts'
import { runBatch, type Statement } from '../../../platform/statements.ts'
import { billingOptions, type CustomerMetadata } from '../billing.config.ts'
import { customerCreationFailed } from '../billing.errors.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import { anything, customerAnswer, customersAnswer } from '../provider/provider-answers.ts'

/** Who becomes a customer: the provider knows them by the user's id, as its customer's external id. */
export type Person = Pick<User, 'id' | 'email' | 'name' | 'emailVerified'>

type Metadata = Awaited<ReturnType<CustomerMetadata>>

/**
 * What became of it. `stranger`: the address belongs to a customer who is, or may be, somebody else; `to-link`: to one
 * who can be linked once the person is written.
 */
export type Linking = 'created' | 'linked' | 'present' | 'stranger' | 'to-link'

/** Of `ensureCustomer`: it asks three things at most, each of them once more when the provider stumbles. */
const mostRequests = 6

/**
 * Makes a person a customer, exactly once however often it is called: the provider keeps external ids unique. A customer
 * who has the person's address is linked only if the address is proven and the customer is nobody's yet.
 * @param isWritten false for somebody who may not come to be: external ids are for good, so nobody else's customer is
 *   linked for them, and their own goes when they are not written
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
    // Created a moment ago, by another try whose answer was lost or under an earlier address.
    if (isRefusal(thrown) && (await isKnown(scope, id))) return 'present'
    throw thrown
  }
}

/** A sign-up that has failed must not leave a customer, who would be a stranger to the next one with that address. */
async function dropUnlessWritten(scope: Scope, userId: string): Promise<void> {
  if (await findUserById(scope.db, userId)) return
  await runBatch(scope.db, await scope.task('billing-customer-deletion', { userId }))
}

async function extrasOf(scope: Scope, { id, email, name }: Person): Promise<{ metadata?: Metadata }> {
  const { customerMetadata } = billingOptions.of(scope)
  if (!customerMetadata) return {}
  const ask = async () => customerMetadata({ id, email, name })
  return { metadata: await bounded('billing.customerMetadata', patience.necessity, ask) }
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

/** Tells the provider the address and name that a person has now, or makes them a customer. @throws ProviderFailure */
async function updateCustomer(scope: Scope, person: Person): Promise<void> {
  const { id, email, name } = person
  try {
    await askProvider(scope, anything, ({ customers }) => customers.updateExternal(id, { email, name }))
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure && thrown.status === 404)) throw thrown
    await ensureCustomer(scope, person)
  }
}

/** A guest, or somebody with a number alone, has no address of their own that bills could go to. */
const isCustomer = ({ isAnonymous, emailIsPlaceholder }: Pick<NewUser, 'isAnonymous' | 'emailIsPlaceholder'>) =>
  !isAnonymous && !emailIsPlaceholder

/**
 * Somebody signs up: their customer is made before they are, and without it they are not; or they are written
 * together with the task of making it (billing.onSignUp).
 * @returns statements of the sign-up's own batch
 * @throws POLAR_CUSTOMER_CREATION_FAILED
 */
export async function customerOfNewUser(scope: Scope, values: NewUser): Promise<Statement[]> {
  const { createCustomerOnSignUp, onSignUp } = billingOptions.of(scope)
  if (!createCustomerOnSignUp || !isCustomer(values)) return []
  if (onSignUp === 'outbox') return scope.task('billing-customer', { userId: values.id })
  scope.allowed.d1 += 1
  scope.allowed.outside += mostRequests
  // Whoever tries a taken address is refused by the batch, and must leave no customer behind.
  if (await findUserByEmail(scope.db, values.email)) return []
  try {
    const { id, email, name, emailVerified = false } = values
    const linking = await ensureCustomer(scope, { id, email, name, emailVerified }, false)
    if (linking === 'to-link') return scope.task('billing-customer', { userId: id })
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw customerCreationFailed(thrown.message)
    throw thrown
  }
  return []
}

/** The work of a task: makes the customer of whoever the user is by now. */
export async function makeCustomerOf(scope: Scope, { userId }: { userId: string }): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (!user || !isCustomer(user)) return
  const linking = await ensureCustomer(scope, user)
  if (linking === 'stranger') scope.log('warn', 'billing-customer-not-linked', { userId, verified: user.emailVerified })
  if (linking === 'present') await updateCustomer(scope, user)
}

/**
 * The work of a task: tells the provider who the user is by now. While it cannot be reached the task stays; what it
 * refuses, such as an address that another customer has, fails for nobody but the log.
 */
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

/** The work of a task: deletes the customer of a person who is gone. */
export async function deleteCustomer(scope: Scope, { userId }: { userId: string }): Promise<void> {
  try {
    await askProvider(scope, anything, ({ customers }) => customers.deleteExternal(userId, { anonymize: true }))
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure && thrown.status === 404)) throw thrown
  }
}
