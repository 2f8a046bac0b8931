import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/counter-rule.ts'
import type { Scope } from '../scope.ts'
import type { User } from '../users/users.table.ts'
import { codeErrors } from './one-time-codes.errors.ts'

/**
 * One-time codes that are sent to an address or a number and typed back. A code lives in a Durable Object as an HMAC,
 * with its attempts; the budget of guesses lives in another and outlives the code: sending again does not refill it.
 */

export interface CodeRules {
  /** Digits. */
  length: number
  /** Seconds. */
  expiresIn: number
  /** Wrong guesses at one code; the next one is not looked at and ends the code. */
  allowedAttempts: number
  /** Guesses per recipient and kind, at however many codes. A right one forgets those before it. */
  guesses: CounterRule
}

/** Who a code was made for: null when nobody had the address or number yet. */
interface Bound {
  userId: string | null
  securityVersion: number
}

export type GuessResult<T> =
  | { kind: 'right'; data: T & Bound }
  | { kind: 'wrong' | 'expired' | 'too-many' }
  /** `spent`: there was a code, which too many guesses have ended. */
  | { kind: 'missing'; spent: boolean }

/**
 * Makes a code, in place of an earlier one of its kind.
 * @param recipient the address or number in the form that it is always given in
 * @param data kept beside the code; a function gets the code
 */
export async function issueCode<T extends object>(
  scope: Scope,
  kind: string,
  recipient: string,
  rules: Pick<CodeRules, 'length' | 'expiresIn' | 'allowedAttempts'>,
  user: User | null,
  data?: (code: string) => Promise<T> | T,
): Promise<string> {
  const code = randomDigits(rules.length)
  const bound: Bound = { userId: user?.id ?? null, securityVersion: user?.securityVersion ?? 0 }
  await scope.records.put(kind, recipient, {
    value: JSON.stringify({ ...(await data?.(code)), ...bound }),
    expiresAt: after(scope.now(), rules.expiresIn).getTime(),
    code,
    maxAttempts: rules.allowedAttempts,
  })
  return code
}

/**
 * Takes one guess from the recipient's budget, before anything else is done for it.
 * @returns the function that looks at the guess: of any number of parallel right ones exactly one is right
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function spendCodeGuess<T extends object = object>(
  scope: Scope,
  kind: string,
  recipient: string,
  { guesses }: Pick<CodeRules, 'guesses'>,
): Promise<(code: string) => Promise<GuessResult<T>>> {
  const budget = `code:${kind}:${recipient}`
  const { allowed, count, retryAfter } = await scope.counters.hit(budget, guesses)
  if (!allowed) throw codeErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(retryAfter) } })
  return async (code) => {
    const taken = await scope.records.take(kind, recipient, { code })
    if (taken.kind === 'missing') return { kind: 'missing', spent: taken.spent ?? false }
    if (taken.kind !== 'taken') return { kind: taken.kind }
    if (count > 1) scope.after(() => scope.counters.forget(budget))
    return { kind: 'right', data: JSON.parse(taken.value) }
  }
}

/**
 * Whether a code may still speak for whoever has the address now: it was made for them and nothing has ended what is
 * pending since, or it was made when nobody had the address.
 */
export const speaksFor = ({ userId, securityVersion }: Bound, user: User | null): boolean =>
  userId === null || (userId === user?.id && securityVersion === user.securityVersion)
