import type { AuthError, Result } from '../../lib/auth/types.ts'
import { createStore } from '../../lib/store.ts'

/**
 * One ceremony runs at a time: a new one ends the one before. The library is loaded with the first, so that it weighs
 * on nobody who has no passkey in mind.
 */
export const loadWebAuthn = () => import('@simplewebauthn/browser')

type WebAuthn = Awaited<ReturnType<typeof loadWebAuthn>>

/** A ceremony that somebody asked for is under way: autofill waits until it is over. */
export const asked = createStore(false)

let current: AbortSignal | null = null

/** How many ceremonies have begun on this page, and how many are under way. */
let begun = 0
let underWay = 0

/** A point in time at which no ceremony is under way; null when one is. Two are equal when none has begun between. */
export const quietPoint = (): number | null => (underWay === 0 ? begun : null)

/** Another ceremony took this one's place, or its page was left: nothing to be told. */
export class Displaced extends Error {}

interface Steps<Options, Response, Answer> {
  begin(): Promise<Result<Options>>
  perform(browser: WebAuthn, options: Options): Promise<Response>
  finish(response: Response, options: Options): Promise<Result<Answer>>
  /** Names what the browser refused; `late`: nobody answered its question. */
  explain(thrown: unknown, late: boolean): AuthError
}

/**
 * Asks the server for options, the browser for a response, and the server whether it is right.
 * @throws Displaced
 */
export async function ceremony<Options extends { timeout?: number | undefined }, Response, Answer>(
  steps: Steps<Options, Response, Answer>,
  signal: AbortSignal,
): Promise<Result<Answer>> {
  begun++
  underWay++
  try {
    return await run(steps, signal)
  } finally {
    underWay--
  }
}

async function run<Options extends { timeout?: number | undefined }, Response, Answer>(
  steps: Steps<Options, Response, Answer>,
  signal: AbortSignal,
): Promise<Result<Answer>> {
  current = signal
  const check = () => {
    if (signal.aborted || current !== signal) throw new Displaced()
  }
  const [browser, options] = await Promise.all([loadWebAuthn(), steps.begin()])
  check()
  if (options.error) return options
  const cancel = () => current === signal && browser.WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  const started = Date.now()
  let response: Response
  try {
    response = await steps.perform(browser, options.data)
  } catch (thrown) {
    check()
    return { data: null, error: steps.explain(thrown, timedOut(thrown, Date.now() - started, options.data.timeout)) }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  return steps.finish(response, options.data)
}

/**
 * Runs what somebody has asked for by a button. After a success autofill goes on waiting: the page is about to be left,
 * and the next one with the button on it begins anew.
 */
export async function askedFor<Answer>(run: (signal: AbortSignal) => Promise<Result<Answer>>): Promise<Result<Answer>> {
  asked.set(true)
  const result = await run(new AbortController().signal).catch((thrown) => {
    asked.set(false)
    if (thrown instanceof Displaced) return refused('CEREMONY_DISPLACED', 'auth cancelled')
    throw thrown
  })
  if (result.error) asked.set(false)
  return result
}

/** An error of ours in the shape of the server's: 400 unless it is nobody's fault but the program's. */
export const problem = (code: string, message: string, status = 400): AuthError => ({
  status,
  statusText: status === 400 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR',
  code,
  message,
})

export const refused = (code: string, message: string): { data: null; error: AuthError } => ({
  data: null,
  error: problem(code, message),
})

/** What the library calls an error; undefined for one that it does not know. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined

/** Whether nobody answered the browser's question until it gave up. It tells us the same when somebody says no. */
const timedOut = (thrown: unknown, waited: number, timeout: number | undefined): boolean =>
  thrown instanceof Error && thrown.name === 'NotAllowedError' && timeout !== undefined && waited >= timeout
