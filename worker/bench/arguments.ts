import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** Length of one round. */
    seconds: { type: 'string', default: '2' },
    /** Only the cases whose name contains this; `first-paint` is one in a browser. */
    only: { type: 'string', default: '' },
  },
})
export const rounds = Number(values.rounds)
/** Milliseconds. */
export const duration = Number(values.seconds) * 1000
export const { only } = values
