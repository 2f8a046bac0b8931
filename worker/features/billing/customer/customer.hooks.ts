import type { DeletionTerms, UserChange } from '../../../identity/lifecycle.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { NewUser, User } from '../../../identity/users/users.table.ts'
import { billingOptions } from '../billing.config.ts'
import { customerOfChangedUser, customerOfNewUser } from './customer.ts'

/** `creatingUser`. @throws POLAR_CUSTOMER_CREATION_FAILED where billing.onSignUp is `blocking` */
export async function makeCustomer(scope: Scope, change: UserChange<NewUser>): Promise<NewUser> {
  change.alongside.push(...(await customerOfNewUser(scope, change.values)))
  return change.values
}

/** `userUpdated`. */
export const tellOfChange = (scope: Scope, user: User): void => customerOfChangedUser(scope, user)

/** `deletingUser`: the customer goes with the person, where the configuration wants it. */
export async function endCustomer(scope: Scope, { id }: User): Promise<DeletionTerms> {
  if (!billingOptions.of(scope).deleteCustomerOnDeletion) return {}
  return { statements: await scope.task('billing-customer-deletion', { userId: id }) }
}
