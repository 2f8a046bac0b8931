import * as z from 'zod'
import { httpErrors } from '../../http/http.errors.ts'
import { operation, requireUserId } from '../../http/operations.ts'
import { userIdInput } from '../../identity/users/users.contract.ts'
import { pageSize } from '../../kit/page.ts'
import { readEntitlements } from './entitlements/entitlements.ts'

const entity = z.record(z.string(), z.unknown())
const some = z.array(entity).max(pageSize)

export const billingOperations = {
  entitlementsOf: operation(
    {
      summary:
        "Returns the purchases of a user, as received from the billing provider's webhooks, without a request to the provider.",
      permission: 'billing:read',
      input: userIdInput,
      answer: z.object({
        /** null: the user is not a known customer. */
        customer: entity.nullable(),
        activeSubscriptions: some,
        grantedBenefits: some,
        activeMeters: some,
        /** When the last webhook about the customer arrived. */
        asOf: z.date().nullable(),
      }),
      errors: [httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED],
      budget: { d1: 1 },
      changes: [],
    },
    (scope, input) => readEntitlements(scope, requireUserId(input)),
  ),
}
