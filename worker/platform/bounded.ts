import { Fault } from '../kit/errors.ts'

/** How long (ms) an answer waits for a piece of I/O before it goes on without it, or fails. */
export const patience = {
  /** Limits and caches: whoever waits longer for them is better off without. */
  convenience: 1000,
  /** What an answer cannot do without. */
  necessity: 5000,
}

/**
 * The result of `work`, or a Fault after `limit` milliseconds: an I/O that hangs must not hang its request. The work
 * itself is not ended by that; what it writes may still be written.
 * @throws Fault for whatever goes wrong but errors that `passes` lets through as they are
 */
export async function bounded<T>(
  what: string,
  limit: number,
  work: () => Promise<T>,
  passes: (thrown: unknown) => boolean = () => false,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limit} ms`)), limit)
  })
  try {
    return await Promise.race([work(), late])
  } catch (thrown) {
    throw thrown instanceof Fault || passes(thrown) ? thrown : new Fault(what, thrown)
  } finally {
    clearTimeout(timer)
  }
}
