import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import type { Scope } from '../scope.ts'
import { guessErrors } from './guesses.errors.ts'

/**
 * Budgets of guesses, each per account or recipient and purpose, whatever address the guesses come from. Budgets of
 * different purposes are kept apart: what a stranger uses up must not stop the owner elsewhere.
 */

/** A guess that has been admitted. */
export interface Guess {
  /** It was right: the wrong ones before it are forgotten, after the answer. */
  rightly(): void
  /** It could not be judged, or what it was made for failed through no fault of the guesser. */
  giveBack(): Promise<void>
}

/**
 * Takes one guess from a budget, before anything is computed for it.
 * @param budget its purpose and whose it is: `password:somebody@example.com`
 * @throws TOO_MANY_REQUESTS with X-Retry-After in seconds; Fault when the budget cannot be asked
 */
export async function spendGuess(scope: Scope, budget: string, rule: CounterRule): Promise<Guess> {
  const { allowed, count, retryAfter } = await scope.counters.hit(budget, rule)
  if (!allowed) throw tooManyGuesses(retryAfter)
  return {
    rightly: () => {
      // Right guesses count as well. They are forgotten in good time, not each time, which would cost a call each.
      if (count > Math.min(rule.max / 2, 3)) scope.after(() => scope.counters.forget(budget))
    },
    giveBack: () => scope.counters.giveBack(budget).catch(() => {}),
  }
}

export const tooManyGuesses = (retryAfter: number) =>
  guessErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(retryAfter) } })

/**
 * Does what follows a guess. When that fails with anything but a refusal (a 4xx), the guess is given back: an outage
 * of ours locks nobody out.
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

/**
 * A guess is admitted and what it is compared with is read, side by side. When the reading fails the guess is given
 * back.
 */
export async function guessBeside<G extends Guess, T>(spending: Promise<G>, reading: Promise<T>): Promise<[G, T]> {
  const [guess] = await Promise.allSettled([spending, reading])
  if (guess.status === 'rejected') throw guess.reason
  return [guess.value, await onGuess(guess.value, () => reading)]
}
