import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** Duration of one round. */
    seconds: { type: 'string', default: '2' },
    /** Runs only the cases whose name contains this; `first-paint`, `start-up` and `webhook-burst` select those benchmarks. */
    only: { type: 'string', default: '' },
  },
})
export const rounds = Number(values.rounds)
/** Milliseconds. */
export const duration = Number(values.seconds) * 1000
export const { only } = values
