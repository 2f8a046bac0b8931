import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import type { User } from '../users/users.table.ts'
import { type Guess, guessBeside, onGuess, spendGuess } from './guesses.ts'
import { usedStatement } from './used-records.ts'
import type { Bound } from './verifications.ts'

/**
 * One-time codes that are sent to an address or a number and typed back. A code lives in a Durable Object as an HMAC,
 * with its attempts, and the object judges guesses; that a right code was used is a row in D1, written with what it
 * is used for. The budget of guesses lives in another object and outlives the code: sending again does not refill it.
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

export type GuessResult<T> =
  /**
   * `use` belongs into the batch of what the code is for: of any number of parallel right guesses one commits, for
   * the others the batch ends (`isUsedAlready`).
   */
  | { kind: 'right'; data: T & Bound; use: Statement; guess: Guess }
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
 * @param own the budget of the recipient's own browsers (`ownBrowser`), which strangers cannot use up; null for a stranger
 * @param reading what the guess needs besides, read side by side; when it fails the guess is given back
 * @param budget whose guesses they are, where that is not the recipient
 * @returns the function that looks at the guess
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function spendCodeGuess<T extends object = object>(
  scope: Scope,
  kind: string,
  recipient: string,
  { guesses }: Pick<CodeRules, 'guesses'>,
  own: string | null,
  reading: Promise<unknown>,
  budget = recipient,
): Promise<(code: string) => Promise<GuessResult<T>>> {
  const name = `code:${kind}:${budget}${own === null ? '' : `:${own}`}`
  const [guess] = await guessBeside(spendGuess(scope, name, guesses), reading)
  return async (code) => {
    const judged = await onGuess(guess, () => scope.records.judge(kind, recipient, code, own !== null))
    if (judged.kind === 'missing') return { kind: 'missing', spent: judged.spent ?? false }
    if (judged.kind !== 'right') return { kind: judged.kind }
    return {
      kind: 'right',
      data: JSON.parse(judged.value),
      use: usedStatement(scope, kind, `${recipient}:${judged.serial}`, new Date(judged.expiresAt)),
      guess: {
        ...guess,
        rightly() {
          guess.rightly()
          scope.after(() => scope.records.drop(kind, recipient))
        },
      },
    }
  }
}
