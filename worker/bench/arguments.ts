import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** Duration of one round. */
    seconds: { type: 'string', default: '2' },
    /** Runs only the cases whose name contains this, or the benchmark of this name (worker/bench/README.md). */
    only: { type: 'string', default: '' },
    /** Prints where the processor time of the cases goes that `only` selects, instead of measuring them. */
    profile: { type: 'boolean', default: false },
    /** The bundle of another version of this Worker (dist/bench/gatehouse/index.js), which is measured beside this one. */
    before: { type: 'string' },
    /** For `scale`: numbers of users, ascending. */
    users: { type: 'string', default: '10000,1000000' },
    /** For `soak`. */
    minutes: { type: 'string', default: '10' },
    /** For `live-sockets`. */
    sockets: { type: 'string', default: '10000' },
  },
})
export const rounds = Number(values.rounds)
/** Milliseconds. */
export const duration = Number(values.seconds) * 1000
export const { only, profile, before } = values
export const users = values.users.split(',').map(Number)
export const minutes = Number(values.minutes)
export const sockets = Number(values.sockets)
