import type { AuthError, Result } from './auth/types.ts'

/** The progress of one operation on many items. */
export interface BulkProgress<Item> {
  /** Items with an answer. */
  done: number
  succeeded: Item[]
  failed: { item: Item; error: AuthError }[]
  /** Set while all calls wait for the end of a limit (epoch milliseconds). */
  pausedUntil: number | null
}

export interface BulkOptions<Item> {
  send(item: Item): Promise<Result<unknown>>
  onProgress(progress: BulkProgress<Item>): void
  /** No call begins after it; those that run are awaited. */
  signal: AbortSignal
  /** Calls at the same time. */
  parallel?: number
  wait?(seconds: number, signal: AbortSignal): Promise<void>
}

/** The attempts of one item while the server is limiting or unreachable. */
const attempts = 5

/** The rest would fail too: the session has ended, or the user has not confirmed that it is them. */
const endsAll = ({ status, code }: AuthError) => status === 401 || code === 'SESSION_IS_NOT_FRESH'

/** The pause (s) before the next attempt; null for an error that another attempt would repeat. */
function pauseAfter({ status, retryAfter }: AuthError): number | null {
  if (status === 429) return retryAfter || 10
  return status === 0 || status >= 502 ? 2 : null
}

/**
 * Calls `send` for each item, with few calls at the same time. The first one runs alone: it may ask the user to confirm
 * that it is them. After a 429 all calls wait as long as the server asks for.
 * @returns the progress at the end; stopped items are neither done nor failed
 */
export async function runBulk<Item>(items: readonly Item[], options: BulkOptions<Item>): Promise<BulkProgress<Item>> {
  const { send, onProgress, parallel = 3, wait = sleep } = options
  const own = new AbortController()
  const signal = AbortSignal.any([options.signal, own.signal])
  const progress: BulkProgress<Item> = { done: 0, succeeded: [], failed: [], pausedUntil: null }
  const report = () => onProgress({ ...progress, succeeded: [...progress.succeeded], failed: [...progress.failed] })
  let pause: Promise<void> | null = null
  const pauseFor = (seconds: number) => {
    pause ??= (async () => {
      progress.pausedUntil = Date.now() + seconds * 1000
      report()
      await wait(seconds, signal)
      progress.pausedUntil = null
      pause = null
      report()
    })()
    return pause
  }
  async function run(item: Item) {
    for (let attempt = 1; ; attempt++) {
      await pause
      if (signal.aborted) return
      const { error } = await send(item)
      const seconds = error && attempt < attempts ? pauseAfter(error) : null
      if (error && seconds !== null) {
        await pauseFor(seconds)
        continue
      }
      progress.done++
      if (error) progress.failed.push({ item, error })
      else progress.succeeded.push(item)
      if (error && endsAll(error)) own.abort()
      report()
      return
    }
  }
  report()
  const rest = [...items]
  if (rest.length > 0) await run(rest.shift()!)
  const work = async () => {
    while (rest.length > 0 && !signal.aborted) await run(rest.shift()!)
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return progress
}

const sleep = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
