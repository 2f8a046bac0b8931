import { Fault } from '../kit/errors.ts'

/** Timeouts (ms) of one piece of I/O. */
export const timeouts = {
  /** Limits and caches. The request continues without them. */
  optional: 1000,
  /** I/O that the response requires. */
  required: 5000,
}

/** The cause of a Fault without an answer in time. */
export class Late extends Error {
  /** @param limit ms */
  constructor(limit: number) {
    super(`no answer within ${limit} ms`)
  }
}

/** The result of `work`, or a Fault after `limit` ms and for errors that `passes` rejects. `work` may still write. */
export async function bounded<T>(
  what: string,
  limit: number,
  work: () => Promise<T>,
  passes: (thrown: unknown) => boolean = () => false,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(limit)), limit)
  })
  try {
    return await Promise.race([work(), late])
  } catch (thrown) {
    throw thrown instanceof Fault || passes(thrown) ? thrown : new Fault(what, thrown)
  } finally {
    clearTimeout(timer)
  }
}
