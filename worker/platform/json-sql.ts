import { type Column, is, SQL, sql } from 'drizzle-orm'

/** D1 takes 32 arguments of a function at most: so many names with their values, and an object to begin with. */
const pairsAtOnce = 15

/**
 * Columns of a row as a JSON object that the database itself writes, as JSON.stringify would: times in ISO 8601, true
 * and false. Names are the configuration's or ours, never a caller's.
 */
export function jsonOf(values: Readonly<Record<string, Column | SQL>>): SQL {
  const pairs = Object.entries(values).map(([name, value]) => [name, jsonValue(value)] as const)
  const first = pairs.slice(0, pairsAtOnce).map(([name, value]) => sql`${literal(name)}, ${value}`)
  let object = sql`json_object(${sql.join(first, sql`, `)})`
  for (let at = pairsAtOnce; at < pairs.length; at += pairsAtOnce) {
    const next = pairs.slice(at, at + pairsAtOnce).map(([name, value]) => sql`${pathTo(name)}, ${value}`)
    object = sql`json_set(${object}, ${sql.join(next, sql`, `)})`
  }
  return object
}

/** A key of an object in a JSON column, as the JSON that it is. */
export const jsonField = (column: Column, name: string): SQL => sql`${column} -> ${pathTo(name)}`

const literal = (text: string): SQL => sql.raw(`'${text.replaceAll("'", "''")}'`)
const pathTo = (name: string): SQL => literal(`$."${name}"`)

function jsonValue(value: Column | SQL): SQL {
  if (is(value, SQL)) return value
  switch (value.dataType) {
    case 'date':
      return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`
    case 'boolean':
      return sql`json(case ${value} when 1 then 'true' when 0 then 'false' end)`
    case 'json':
      return sql`json(${value})`
    default:
      return sql`${value}`
  }
}
