import type { AuthError, Result } from '../../lib/auth/types.ts'
import { createStore } from '../../lib/store.ts'

/**
 * Only one ceremony runs at a time: a new one aborts the previous one. The library is loaded with the first ceremony.
 */
export const loadWebAuthn = () => import('@simplewebauthn/browser')

type WebAuthn = Awaited<ReturnType<typeof loadWebAuthn>>

/** Whether a ceremony that the user started is running: autofill waits for its end. */
export const asked = createStore(false)

let current: AbortSignal | null = null

/** The number of ceremonies that have started on this page, and that are running. */
let begun = 0
let underWay = 0

/** Identifies a time without running ceremonies; null during one. Equal values have no ceremony between them. */
export const quietPoint = (): number | null => (underWay === 0 ? begun : null)

/** Another ceremony replaced this one, or the page was left: no error is shown. */
export class Displaced extends Error {}

interface Steps<Options, Response, Answer> {
  begin(): Promise<Result<Options>>
  perform(browser: WebAuthn, options: Options): Promise<Response>
  finish(response: Response, options: Options): Promise<Result<Answer>>
  /** Maps an error of the browser to a code. @param late the user did not answer in time */
  explain(thrown: unknown, late: boolean): AuthError
}

/**
 * Requests options from the server, a response from the browser, and its verification from the server.
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
 * Runs a ceremony while another one waits for its options, such as a step-up that they require. The other one continues
 * afterwards.
 */
export async function inBetween<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  const outer = current
  try {
    return await run()
  } finally {
    current = outer
  }
}

/**
 * Runs a ceremony that the user started with a button. After success autofill keeps waiting: the page is about to be
 * left, and the next page with the button restarts it.
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

/** A client error in the shape of a server error: 400, or 500 for a fault of the program. */
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

export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined

/** Whether the browser's dialog timed out. Browsers report a cancelled dialog in the same way. */
const timedOut = (thrown: unknown, waited: number, timeout: number | undefined): boolean =>
  thrown instanceof Error && thrown.name === 'NotAllowedError' && timeout !== undefined && waited >= timeout
