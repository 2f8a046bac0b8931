import { Command } from '@commander-js/extra-typings'
import { selectAll, type Target, withTarget } from './wrangler.ts'

/** A row of `resealing`, with the number of the table's last row. */
export interface Column {
  name: string
  key_id: string
  position: number
  resealed: number
  unreadable: number
  finished_at: number | null
  last: number
}

export const command = withTarget(
  new Command(
    'secrets',
  ).description(`Prints the progress of a rotation of GATEHOUSE_SECRET. The cron trigger seals again, under the newest secret,
    what earlier secrets sealed. When every column is done, the earlier secret can be removed.`),
).action(async (target) => console.log(report(await readColumns(target))))

async function readColumns(target: Target): Promise<Column[]> {
  const [columns = []] = await selectAll<Omit<Column, 'last'>>(target, ['SELECT * FROM resealing ORDER BY name'])
  if (columns.length === 0) return []
  const ends = await selectAll<{ last: number | null }>(
    target,
    columns.map(({ name }) => `SELECT max(rowid) AS last FROM "${name.split('.')[0]}"`),
  )
  return columns.map((column, i) => ({ ...column, last: ends[i]?.[0]?.last ?? 0 }))
}

/** The state of each column, and the next step. */
export function report(columns: readonly Column[]): string {
  if (columns.length === 0) {
    return `No rotation has been recorded. To begin one: set the old secret as GATEHOUSE_PREVIOUS_SECRETS and a new one as
GATEHOUSE_SECRET (npx wrangler secret put NAME, on a development machine in .dev.vars), and run this command again after the
next cron trigger.`
  }
  const width = Math.max(...columns.map(({ name }) => name.length))
  const lines = columns.map((column) => `  ${column.name.padEnd(width)}  ${stateOf(column)}`)
  const next = columns.every(({ finished_at }) => finished_at !== null)
    ? `Everything is sealed under the newest secret. Next: npx wrangler secret delete GATEHOUSE_PREVIOUS_SECRETS
Browsers whose cookies were last signed with the earlier secret are then signed out; a session in use is signed again
within a day (session.updateAge), so wait that long unless the earlier secret has leaked.`
    : 'Next: wait. The cron trigger continues every five minutes; keep GATEHOUSE_PREVIOUS_SECRETS until every column is done.'
  return [`Secret ${columns[0]!.key_id}`, ...lines, '', next].join('\n')
}

function stateOf({ finished_at, position, last, resealed, unreadable }: Column): string {
  const percent = last > 0 ? Math.min(99, Math.floor((position / last) * 100)) : 0
  const state = finished_at !== null ? 'done' : `${percent} %`
  const lost = unreadable > 0 ? `, ${unreadable} sealed under a secret that the Worker does not have` : ''
  return `${state.padEnd(5)} ${resealed} sealed again${lost}`
}
