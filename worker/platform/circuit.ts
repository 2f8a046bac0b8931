import { Fault, faultIn } from '../kit/errors.ts'
import { minutes } from '../kit/time.ts'
import { bounded, Late, timeouts } from './bounded.ts'

/** The longest outage of the database (s) in which signed-in users stay signed in. */
export const maxOutage = minutes(10)

/** How long (ms) a call waits whose database may be silent. */
export const patience = 1750
/** Milliseconds between the calls that a silent database gets. */
export const probePause = 1000

/**
 * The calls of one isolate to its database. A database is silent if a call gets no answer and no later call has one.
 * Calls to a silent database fail at once, but one in a second, whose answer ends the silence.
 */
export class Circuit {
  /** The start (Unix time, ms) of the latest call that was answered. */
  #answered = 0
  #isSilent = false
  #probedAt = 0

  /**
   * @param isPatient whether the call may take long although no other call has an answer
   * @param isVerdict whether an error is an answer of the database
   * @throws Fault without an answer
   */
  async call<T>(work: () => Promise<T>, isPatient: boolean, isVerdict: (thrown: unknown) => boolean): Promise<T> {
    const begun = Date.now()
    if (this.#isSilent) {
      if (begun - this.#probedAt < probePause) throw new Fault('D1', new Error('the last calls got no answer'))
      this.#probedAt = begun
    }
    try {
      const result = await this.#wait(work(), begun, isPatient, isVerdict)
      this.#heard(begun)
      return result
    } catch (thrown) {
      const fault = faultIn(thrown)
      if (!fault) this.#heard(begun)
      else if (fault.cause instanceof Late && this.#answered <= begun) {
        this.#isSilent = true
        this.#probedAt = Date.now()
      }
      throw thrown
    }
  }

  /** A call that is slow while later ones are answered waits longer than one without an answer of any kind. */
  async #wait<T>(
    answer: Promise<T>,
    begun: number,
    isPatient: boolean,
    isVerdict: (thrown: unknown) => boolean,
  ): Promise<T> {
    const within = (limit: number) => bounded('D1', limit, () => answer, isVerdict)
    if (isPatient) return within(timeouts.required)
    try {
      return await within(patience)
    } catch (thrown) {
      const isSlow = faultIn(thrown)?.cause instanceof Late && this.#answered > begun
      if (!isSlow) throw thrown
      return within(timeouts.required - patience)
    }
  }

  #heard(begun: number): void {
    this.#answered = Math.max(this.#answered, begun)
    this.#isSilent = false
  }
}
