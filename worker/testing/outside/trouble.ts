/** How an endpoint can be out of order. */
export type Trouble = 'answers 500' | 'answers garbage' | 'answers nothing'

/** Nobody sits through more (ms). */
const longest = 10_000

/** What happens when somebody waits for a time-out. */
const waits = new WeakMap<AbortSignal, () => void>()

/** A time-out (ms) that is reached as soon as somebody waits for it: no test sits through the time it stands for. */
export function timeOutAtOnce(milliseconds: number): AbortSignal {
  const controller = new AbortController()
  if (milliseconds <= longest) {
    const reason = new DOMException('The operation timed out.', 'TimeoutError')
    waits.set(controller.signal, () => controller.abort(reason))
  }
  return controller.signal
}

/** How an endpoint that is out of order answers. Whoever waits without a time-out of at most ten seconds waits for ever. */
export async function inTrouble(trouble: Trouble, signal?: AbortSignal | null): Promise<Response> {
  if (trouble === 'answers 500') return new Response('Internal Server Error', { status: 500 })
  if (trouble === 'answers garbage') return new Response('<html>{"access_token":')
  const wait = signal && waits.get(signal)
  if (!wait) return new Promise(() => {})
  wait()
  throw signal.reason
}
