import type { Caller, Scope } from '../../../identity/scope.ts'
import { after, days } from '../../../kit/time.ts'
import { billingErrors as errors } from '../billing.errors.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import { quantitiesAnswer } from '../provider/provider-answers.ts'

/** The days of the history, with today. */
export const historyDays = 30

/** The caller's usage of a meter on each of the last days, in UTC. @throws METERS_LIST_FAILED */
export async function usageHistory(
  scope: Scope,
  { user }: Caller,
  meterId: string,
): Promise<{ days: { day: string; units: number }[]; total: number }> {
  const now = scope.now()
  const first = after(now, -days(historyDays - 1))
  try {
    const { quantities, total } = await askProvider(scope, quantitiesAnswer, ({ meters }) =>
      meters.quantities(meterId, {
        start_timestamp: `${first.toISOString().slice(0, 10)}T00:00:00.000Z`,
        end_timestamp: now.toISOString(),
        interval: 'day',
        timezone: 'UTC',
        external_customer_id: user.id,
      }),
    )
    return {
      days: quantities.map(({ timestamp, quantity }) => ({
        day: new Date(timestamp).toISOString().slice(0, 10),
        units: quantity,
      })),
      total,
    }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw errors.METERS_LIST_FAILED({ detail: thrown.message })
    throw thrown
  }
}
