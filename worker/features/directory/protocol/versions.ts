import type { Scope } from '../../../identity/scope.ts'
import { Overtaken } from '../../../identity/unit-of-work.ts'
import { scimError } from './scim.errors.ts'

/** The ETag of a version (RFC 7644, section 3.14). */
export const etagOf = (version: number): string => `W/"${version}"`

const names = (header: string, version: number): boolean =>
  header.split(',').some((one) => ['*', etagOf(version), `"${version}"`].includes(one.trim()))

/** @throws 412 for another version than If-Match names */
export function requireVersion(ifMatch: string | null, version: number): void {
  if (ifMatch !== null && !names(ifMatch, version)) throw scimError('SCIM_VERSION_MISMATCH')
}

/** Whether the caller has this version (If-None-Match). */
export const isUnmodified = (ifNoneMatch: string | null, version: number): boolean =>
  ifNoneMatch !== null && names(ifNoneMatch, version)

/** The maximum number of attempts with parallel requests for the same resource. */
const maxRounds = 16

/** D1 round trips of one attempt. */
const roundTrips = 4

/** Runs an attempt again while other requests change what it has read. @throws Overtaken after `maxRounds` */
export async function untilSettled<T>(scope: Scope, attempt: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await attempt()
    } catch (thrown) {
      if (!(thrown instanceof Overtaken) || round === maxRounds) throw thrown
      scope.io.declare({ d1: roundTrips })
    }
  }
}
