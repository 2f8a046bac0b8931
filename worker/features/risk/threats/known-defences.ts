import type { Scope } from '../../../identity/scope.ts'
import { ms, seconds } from '../../../kit/time.ts'
import { isAddressIn } from '../../../platform/client-address.ts'
import { reasonOf } from '../../../platform/log.ts'
import { riskErrors } from '../risk.errors.ts'

/**
 * The defences that are in force, as isolates know them: from KV, read every 20 seconds after a response. With the delay of
 * KV they apply everywhere within about a minute, and no request waits for D1 because of them.
 */
export interface Defences {
  /** Until when (Unix time in milliseconds) every unknown device needs a code; null: as configured. */
  raisedUntil: number | null
  blocks: readonly { network: string; until: number }[]
}

/** The record in KV. */
export const defencesKey = 'defences'
const noDefences: Defences = { raisedUntil: null, blocks: [] }
const fresh = seconds(20)

interface Known {
  defences: Defences
  readAt: number
}

/** What each configuration of this isolate knows. */
const isolates = new WeakMap<object, Known>()

/** After a change: this isolate knows it at once. */
export const learnDefences = (scope: Scope, defences: Defences): void =>
  void isolates.set(scope.options, { defences, readAt: scope.now().getTime() })

/** Without KV, sign-ins continue with what was known. */
async function readDefences(scope: Scope): Promise<Defences> {
  const before = isolates.get(scope.options)?.defences ?? noDefences
  try {
    learnDefences(scope, (await scope.io.uncounted.kv.get<Defences>(defencesKey)) ?? noDefences)
  } catch (thrown) {
    scope.log('warn', 'defences-unreachable', { reason: reasonOf(thrown) })
    learnDefences(scope, before)
  }
  return isolates.get(scope.options)!.defences
}

/** Only the first call of an isolate waits for KV. */
async function defencesOf(scope: Scope): Promise<Defences> {
  const known = isolates.get(scope.options)
  if (!known) return readDefences(scope)
  if (scope.now().getTime() - known.readAt > ms(fresh)) scope.after(() => readDefences(scope), 'nothing')
  return known.defences
}

/** Whether an administrator has raised the level. Known since the guard of the request. */
export function isLevelRaised(scope: Scope): boolean {
  return (isolates.get(scope.options)?.defences.raisedUntil ?? 0) > scope.now().getTime()
}

/** Whether a network, as a block has it, contains the caller. */
export function containsCaller({ request }: Scope, network: string): boolean {
  if (network.startsWith('AS')) return request.network.asn !== null && network === `AS${request.network.asn}`
  return isAddressIn(request.ip, [network])
}

/**
 * Lifecycle place `guarding`: refuses what visitors of a blocked network send. Pages remain readable, and sessions remain
 * until they are ended. @throws NETWORK_BLOCKED
 */
export async function refuseBlocked(scope: Scope, { byVisitor }: { byVisitor: boolean }): Promise<void> {
  if (!byVisitor || scope.request.path === '/sign-out') return
  const { blocks } = await defencesOf(scope)
  const now = scope.now().getTime()
  if (blocks.some(({ network, until }) => until > now && containsCaller(scope, network)))
    throw riskErrors.NETWORK_BLOCKED()
}
