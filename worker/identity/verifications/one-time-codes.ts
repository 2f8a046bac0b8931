import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { ownBrowser } from '../sessions/known-device.ts'
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

interface CodeGuess {
  kind: string
  recipient: string
  rules: Pick<CodeRules, 'guesses'>
  /** Whoever has the address or number, read side by side with the guess, which is given back when that fails. */
  finding: Promise<User | null>
  /** The recipient's own browsers, by the name that they know it by, have a budget which strangers cannot use up. */
  owner?: { name: string; owns(user: User): boolean }
  /** Whose guesses they are, where that is not the recipient. */
  budget?: string
}

/**
 * Takes one guess from the recipient's budget, before anything else is done for it.
 * @returns the function that looks at the guess
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function spendCodeGuess<T extends object = object>(
  scope: Scope,
  { kind, recipient, rules, finding, owner, budget = recipient }: CodeGuess,
): Promise<(code: string) => Promise<GuessResult<T>>> {
  // Its failure is told below, wherever it comes first.
  finding.catch(() => {})
  const own = owner ? await ownBrowser(scope, owner.name, () => finding, owner.owns) : null
  const name = `code:${kind}:${budget}${own === null ? '' : `:${own}`}`
  const [guess] = await guessBeside(spendGuess(scope, name, rules.guesses), finding)
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
