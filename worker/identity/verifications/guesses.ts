import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import type { Scope } from '../scope.ts'
import { guessErrors } from './guesses.errors.ts'

/**
 * Budgets of guesses, each per account or recipient and purpose, for guesses from all addresses. Budgets of different
 * purposes are separate: an attacker who uses one up must not block the owner elsewhere.
 */

/** An admitted guess. */
export interface Guess {
  /** It is the last one of the budget in this window. */
  isLast: boolean
  /** It was right: resets the count of wrong ones, after the response. */
  succeeded(): void
  /** It could not be checked, or its effect failed without a fault of the caller. */
  giveBack(): Promise<void>
}

/**
 * Takes one guess from a budget, before anything is computed for it.
 * @param budget its purpose and owner: `password:user@example.com`
 * @throws TOO_MANY_REQUESTS with X-Retry-After in seconds; Fault if the budget is unreachable
 */
export async function spendGuess(scope: Scope, budget: string, rule: CounterRule): Promise<Guess> {
  const { allowed, count, retryAfter } = await scope.counters.hit(budget, rule)
  if (!allowed) throw tooManyGuesses(retryAfter)
  return {
    isLast: count >= rule.max,
    succeeded: () => {
      // Right guesses count as well. The count is reset early but not after each one, because a reset costs a call.
      if (count > Math.min(rule.max / 2, 3)) scope.after(() => scope.counters.forget(budget))
    },
    giveBack: () => scope.counters.giveBack(budget).catch(() => {}),
  }
}

export const tooManyGuesses = (retryAfter: number) =>
  guessErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(retryAfter) } })

/**
 * Runs the effect of a guess. If it fails with an error other than a 4xx, the guess is given back, so that an outage of
 * the server does not lock users out.
 */
export async function onGuess<T>(guess: Guess, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!isRefusal(thrown)) await guess.giveBack()
    throw thrown
  }
}

const isRefusal = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'status' in thrown && Number(thrown.status) < 500

/** Takes a guess and reads the value to compare, in parallel. If the read fails, the guess is given back. */
export async function guessBeside<G extends Guess, T>(spending: Promise<G>, reading: Promise<T>): Promise<[G, T]> {
  const [guess] = await Promise.allSettled([spending, reading])
  if (guess.status === 'rejected') throw guess.reason
  return [guess.value, await onGuess(guess.value, () => reading)]
}
