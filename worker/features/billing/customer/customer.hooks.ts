import type { EventRows, EventType } from '../../../identity/events/events.ts'
import type { DeletionTerms, UserChange } from '../../../identity/lifecycle.ts'
import type { Scope } from '../../../identity/scope.ts'
import { tasksFor } from '../../../identity/tasks/tasks.ts'
import type { NewUser, User } from '../../../identity/users/users.table.ts'
import type { Statement } from '../../../platform/statements.ts'
import { billingOptions } from '../billing.config.ts'
import { customerOfNewUser } from './customer.ts'

/** `creatingUser`. @throws POLAR_CUSTOMER_CREATION_FAILED where billing.onSignUp is `blocking` */
export async function makeCustomer(scope: Scope, change: UserChange<NewUser>): Promise<NewUser> {
  change.alongside.push(...(await customerOfNewUser(scope, change.values)))
  return change.values
}

/** `recording`: whoever changes is a task of the batch that changes them, until the provider has heard of it. */
export function tellOfChange(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  if (type !== 'user.updated' || !billingOptions.of(scope).createCustomerOnSignUp) return []
  const { subject, from, where } = rows()
  return tasksFor(scope, 'billing-customer-update', { key: 'userId', id: subject, from, where })
}

/** `deletingUser`: the customer goes with the person, where the configuration wants it. */
export async function endCustomer(scope: Scope, { id }: User): Promise<DeletionTerms> {
  if (!billingOptions.of(scope).deleteCustomerOnDeletion) return {}
  return { statements: await scope.task('billing-customer-deletion', { userId: id }) }
}
