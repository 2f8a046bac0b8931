import { jobStatementsFor } from '../../../identity/jobs/jobs.ts'
import type { UserChange } from '../../../identity/lifecycle.ts'
import type { EventRows, EventType } from '../../../identity/model/events.ts'
import type { NewUser, User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import type { Statement } from '../../../platform/statements.ts'
import { billingOptions } from '../billing.config.ts'
import { changedUsers } from './customer.store.ts'
import { isLeftToJob } from './customer.ts'

/** `creatingUser`. @throws POLAR_CUSTOMER_CREATION_FAILED if billing.onSignUp is `blocking` */
export async function makeCustomer(scope: Scope, { values, writes }: UserChange<NewUser>): Promise<NewUser> {
  if (await isLeftToJob(scope, values)) writes.push((work) => work.defer('billing-customer', { userId: values.id }))
  return values
}

/** `recording`: a change of a user writes a job in the same batch, which updates the customer at the provider. */
export function queueCustomerChange(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  if (type !== 'user.updated' || !billingOptions.of(scope).createCustomerOnSignUp) return []
  return jobStatementsFor(scope, 'billing-customer-update', changedUsers(rows()))
}

/** `deletingUser`: deletes the customer with the user, if the configuration requires it. */
export function endCustomer(scope: Scope, { id }: User, work: Work): void {
  if (billingOptions.of(scope).deleteCustomerOnDeletion) work.defer('billing-customer-deletion', { userId: id })
}
