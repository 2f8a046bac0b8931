import { readdirSync, readFileSync } from 'node:fs'

/** Empty for a process that has ended since the folder was read. */
function statOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Processor time (ms) that the workerd of this process has used, in user and system mode; NaN without /proc. A busy
 * machine changes it less than the time of day.
 */
export function processorTime(): number {
  try {
    const own = readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return []
      const [, command = '', rest = ''] = /\((.*)\) (.*)/s.exec(statOf(name)) ?? []
      const fields = rest.split(' ')
      // Fields 4, 14 and 15 of proc(5), of which the first here is the third; a tick is 10 ms.
      return command === 'workerd' && Number(fields[1]) === process.pid
        ? [(Number(fields[11]) + Number(fields[12])) * 10]
        : []
    })
    return own[0] ?? Number.NaN
  } catch {
    return Number.NaN
  }
}
