// The clock of a Worker under test, and the names of its Durable Objects. Nothing here changes without a request to
// /dev/testing (http/testing.ts), which production does not have.

let untouched: DateConstructor | null = null
/** In ms: the difference from the machine's clock, or the time at which the clock stopped. */
let state: { offset: number } | { stoppedAt: number } = { offset: 0 }
let generation = 0

const read = (clock: DateConstructor): number => ('stoppedAt' in state ? state.stoppedAt : clock.now() + state.offset)

/** Replaces `Date`, which all code of the isolate reads: the Worker, its Durable Objects and its libraries. */
function install(): DateConstructor {
  if (untouched) return untouched
  const clock = globalThis.Date
  untouched = clock
  globalThis.Date = new Proxy(clock, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [read(clock)] : args, newTarget) as Date,
    apply: (target) => new target(read(clock)).toString(),
    get: (target, name) => (name === 'now' ? () => read(clock) : Reflect.get(target, name)),
  })
  return clock
}

/** Stops the clock. @param at in ms since 1970; default: the current time */
export function stopClock(at?: number): void {
  const clock = install()
  state = { stoppedAt: at ?? read(clock) }
}

/** Moves the clock, which continues to run or stays stopped. @param duration in s */
export function advanceClock(duration: number): void {
  install()
  state =
    'stoppedAt' in state ? { stoppedAt: state.stoppedAt + duration * 1000 } : { offset: state.offset + duration * 1000 }
}

/** Returns to the clock of the machine. */
export function resumeClock(): void {
  if (untouched) globalThis.Date = untouched
  untouched = null
  state = { offset: 0 }
}

/** Durable Objects cannot be listed: after a reset, the same codes and counters have other names. */
export function renameObjects(): void {
  generation++
}

/** The secret from which names of Durable Objects are derived. */
export const secretOfNames = (secret: string): string => (generation === 0 ? secret : `${secret}:${generation}`)
