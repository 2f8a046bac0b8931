import type { AppErrorKind } from '../../kit/errors.ts'
import { randomDigits } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import type { CounterRule } from '../../platform/durable/counter-rule.ts'
import type { FactorMethod } from '../model/method.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { noteFailedSignIn } from '../security/sign-in-events.ts'
import { ownBrowser } from '../sessions/known-device.ts'
import type { SingleUse } from '../work.ts'
import { guessBeside, onGuess, spendGuess } from './guesses.ts'
import type { Bound } from './verifications.ts'

/**
 * One-time codes that are sent to an address or a number. A Durable Object stores the HMAC of a code with its attempts, and
 * verifies guesses; the use of a right code is a row in D1, in the batch of its effect. The budget of guesses is in another
 * object and outlives the code: sending a new code does not refill it.
 */

export interface CodeRules {
  /** Digits. */
  length: number
  /** Seconds. */
  expiresIn: number
  /** The maximum number of wrong guesses at one code; the next guess is not compared and ends the code. */
  allowedAttempts: number
  /** Guesses per recipient and kind, for all codes together. A right guess resets the count. */
  guesses: CounterRule
}

/** The errors of a wrong code. `spent`: too many guesses have ended the code. */
export type CodeErrors = Record<'wrong' | 'expired' | 'too-many' | 'missing' | 'spent', AppErrorKind>

export interface RightCode {
  data: Bound
  /** For the unit of work of the code's effect: of parallel right guesses, one commits. */
  use: SingleUse
  /** Runs the effect of the code. A fault gives the guess back; a success resets the count and deletes the code. */
  complete<T>(effect: () => Promise<T>): Promise<T>
}

/**
 * Creates a code and replaces an earlier one of its kind.
 * @param recipient the normalized address or number
 * @param data stored with the code; a function of the code
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
  errors: CodeErrors
  /** The user with the address or number, read in parallel with the guess. A failed read gives the guess back. */
  finding: Promise<User | null>
  /**
   * The recipient's own browsers, identified by the stored name, have a separate budget: other browsers cannot use it
   * up.
   */
  owner?: { name: string; owns(user: User): boolean }
  /** The method of a wrong guess in the sign-in log, if it is an attempt to sign in. */
  method?: FactorMethod | undefined
  /** The key of the budget. Default: the recipient. */
  budget?: string
}

/**
 * Takes one guess from the recipient's budget, before any other work.
 * @returns the function that verifies the code; it throws one of `errors`
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function spendCodeGuess(
  scope: Scope,
  { kind, recipient, rules, errors, finding, owner, method, budget = recipient }: CodeGuess,
): Promise<(code: string) => Promise<RightCode>> {
  // guessBeside throws its error.
  finding.catch(() => {})
  const own = owner ? await ownBrowser(scope, owner.name, () => finding, owner.owns) : null
  const name = `code:${kind}:${budget}${own === null ? '' : `:${own}`}`
  const [guess] = await guessBeside(spendGuess(scope, name, rules.guesses), finding)
  return async (code) => {
    const judged = await onGuess(guess, () => scope.records.judge(kind, recipient, code, own !== null))
    if (judged.kind !== 'right') {
      const user = await finding
      const isGuess = judged.kind === 'wrong' || judged.kind === 'too-many'
      if (user && method && (isGuess || guess.isLast)) noteFailedSignIn(scope, { user, method, isLast: guess.isLast })
      throw errors[judged.kind === 'missing' && judged.spent ? 'spent' : judged.kind]()
    }
    return {
      data: JSON.parse(judged.value),
      use: { kind, token: `${recipient}:${judged.serial}`, expiresAt: new Date(judged.expiresAt) },
      async complete(effect) {
        const result = await onGuess(guess, effect)
        guess.succeeded()
        scope.after(() => scope.records.drop(kind, recipient))
        return result
      },
    }
  }
}
