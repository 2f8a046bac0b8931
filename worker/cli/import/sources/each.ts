import type { Item } from '../readers/json.ts'
import type { ImportRecord } from '../records.ts'

/** The records that `read` makes of each item. Unreadable items are reported. */
export async function* importRecordsOf(
  items: AsyncIterable<Item>,
  read: (at: string, row: Record<string, unknown>) => Iterable<ImportRecord>,
): AsyncGenerator<ImportRecord> {
  for await (const item of items) {
    if ('problem' in item) yield { kind: 'skipped', what: item.at, reason: item.problem }
    else yield* read(item.at, item.value)
  }
}

export const unknownProvider = (what: string, provider: string): ImportRecord => ({
  kind: 'skipped',
  what,
  reason: `identity of ${provider}: no --provider for it`,
})
