interface Named {
  /** As users have chosen it. */
  name: string
  /** Unlike that of the others: the beginning of a key, an id. */
  mark: string | null
}

/** A function for the name of a record in labels and questions: with its mark where another one has the same name. */
export function toldApart<Row>(rows: readonly Row[], named: (row: Row) => Named): (row: Row) => string {
  const count = new Map<string, number>()
  for (const { name } of rows.map(named)) count.set(name, (count.get(name) ?? 0) + 1)
  return (row) => {
    const { name, mark } = named(row)
    return mark && (count.get(name) ?? 0) > 1 ? `${name} (${mark})` : name
  }
}
