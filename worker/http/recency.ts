import type { RecencyQuestion } from './endpoint.ts'

/** Predicates of `recentFor` for several contracts. */

/** A verified current password is the recent authentication, except for a user with a second factor. */
export const recentWithSecondFactor = ({ hasSecondFactor }: RecencyQuestion): boolean => hasSecondFactor

/** The same where users without a password leave it out: then the recent authentication is the proof. */
export const recentWithoutPassword = ({ hasSecondFactor, given }: RecencyQuestion): boolean =>
  hasSecondFactor || given.password === undefined

/** Whether an identifier in a body differs from the stored one. The comparison ignores case, as identifiers do. */
export const isOther = (given: unknown, stored: string | null): boolean =>
  given !== undefined && (typeof given === 'string' ? given.toLowerCase() : given) !== (stored?.toLowerCase() ?? null)
