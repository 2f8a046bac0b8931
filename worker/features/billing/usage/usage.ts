import type { JobFacts, JobKind } from '../../../identity/model/job-kind.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { GiveUp } from '../../../kit/errors.ts'
import { sha256 } from '../../../kit/hash.ts'
import { newId } from '../../../kit/random.ts'
import { billingOptions } from '../billing.config.ts'
import { billingErrors as errors } from '../billing.errors.ts'
import { askProvider, ProviderFailure } from '../provider/ask-provider.ts'
import { ingestAnswer } from '../provider/provider-answers.ts'

export interface Usage {
  event: string
  metadata: Record<string, string | number | boolean>
  /** The caller's id of the event. */
  id?: string | undefined
}

/** The provider counts an id once. The id is random or derived from the caller's id. */
interface UsageEvent extends Omit<Usage, 'id'> {
  id: string
  userId: string
  /** Milliseconds since 1970. */
  at: number
}

const kind = 'billing-usage'

/**
 * Counts something that the caller has used: at the provider before the answer, or by a job (billing.onUsage). An event
 * counts once by its id; a caller that may repeat a call passes one.
 */
export async function ingestUsage(
  scope: Scope,
  { user }: Caller,
  { event, metadata, id: given }: Usage,
): Promise<{ inserted: number }> {
  const { negativeUsage, onUsage } = billingOptions.of(scope)
  const isNegative = (value: unknown) => typeof value === 'number' && value < 0
  if (!negativeUsage && Object.values(metadata).some(isNegative)) throw errors.NEGATIVE_USAGE()
  // Ids of different users never collide.
  const id = given === undefined ? newId() : sha256(`usage:${user.id}:${given}`)
  const usage: UsageEvent = { id, userId: user.id, event, metadata, at: scope.now().getTime() }
  if (onUsage === 'outbox') {
    const work = unitOfWork(scope)
    work.defer(kind, usage, { id: `${kind}:${id}`, plain: true })
    await work.commit()
    return { inserted: 1 }
  }
  try {
    const { inserted } = await send(scope, [usage])
    // A repeated call inserts nothing. The event is counted even if the first response was lost.
    return { inserted: inserted || 1 }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) throw errors.INGESTION_FAILED({ detail: thrown.message })
    throw thrown
  }
}

const send = (scope: Scope, events: readonly UsageEvent[]) =>
  askProvider(scope, ingestAnswer, (polar) =>
    polar.events.ingest({
      events: events.map(({ id, userId, event: name, metadata, at }) => ({
        name,
        metadata,
        external_id: id,
        external_customer_id: userId,
        timestamp: new Date(at).toISOString(),
      })),
    }),
  )

/**
 * Sends events with one request. If the provider rejects it, sends each event separately, so that one invalid event
 * does not stop the others.
 */
async function sendUsage(scope: Scope, jobs: readonly (JobFacts & { payload: UsageEvent })[]) {
  const failures = new Map<string, unknown>()
  try {
    await send(
      scope,
      jobs.map(({ payload }) => payload),
    )
  } catch (thrown) {
    if (!isRejection(thrown) || thrown.status === 401) throw thrown
    for (const { id, payload } of jobs) {
      await send(scope, [payload]).catch((reason: unknown) =>
        failures.set(id, isRejection(reason) ? new GiveUp(reason.message) : reason),
      )
    }
  }
  return failures
}

const isRejection = (thrown: unknown): thrown is ProviderFailure =>
  thrown instanceof ProviderFailure && !thrown.isOutage

/** A job does not refer to a user, because the usage of a deleted user is still billed. */
export const usageJobs: Record<typeof kind, JobKind<Scope>> = {
  [kind]: {
    runAll: sendUsage,
    batchSize: 100,
    cost: 1,
    rules: (scope) => ({ keepFailed: billingOptions.of(scope).refusedUsageLifetime }),
  },
}
