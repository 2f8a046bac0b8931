import { type Column, is, SQL, sql } from 'drizzle-orm'

/** D1 allows 32 arguments of a function: 15 names with their values, and the object. */
const maxPairs = 15

/** Columns as a JSON object as JSON.stringify writes it. Names come from code or configuration, never from a caller. */
export function jsonOf(values: Readonly<Record<string, Column | SQL>>): SQL {
  const pairs = Object.entries(values).map(([name, value]) => [name, jsonValue(value)] as const)
  const first = pairs.slice(0, maxPairs).map(([name, value]) => sql`${literal(name)}, ${value}`)
  let object = sql`json_object(${sql.join(first, sql`, `)})`
  for (let at = maxPairs; at < pairs.length; at += maxPairs) {
    const next = pairs.slice(at, at + maxPairs).map(([name, value]) => sql`${pathTo(name)}, ${value}`)
    object = sql`json_set(${object}, ${sql.join(next, sql`, `)})`
  }
  return object
}

/** A key of an object in a JSON column, as JSON. */
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
