/** The kinds of trouble of an endpoint. */
export type Trouble = 'answers 500' | 'answers garbage' | 'answers nothing'

/** The maximum timeout of a caller (ms). */
const maxLength = 10_000

/** The function that aborts each signal. `inTrouble` calls it instead of waiting. */
const waits = new WeakMap<AbortSignal, () => void>()

/** A timeout (ms) that aborts as soon as `inTrouble` waits for it, so that tests do not wait for the real time. */
export function timeOutAtOnce(milliseconds: number): AbortSignal {
  const controller = new AbortController()
  if (milliseconds <= maxLength) {
    const reason = new DOMException('The operation timed out.', 'TimeoutError')
    waits.set(controller.signal, () => controller.abort(reason))
  }
  return controller.signal
}

/** Responds as a broken endpoint. A caller without a timeout of at most ten seconds waits forever. */
export async function inTrouble(trouble: Trouble, signal?: AbortSignal | null): Promise<Response> {
  if (trouble === 'answers 500') return new Response('Internal Server Error', { status: 500 })
  if (trouble === 'answers garbage') return new Response('<html>{"access_token":')
  const wait = signal && waits.get(signal)
  if (!wait) return new Promise(() => {})
  wait()
  throw signal.reason
}
