import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'

/** A row of a list while it is edited. */
export interface Keyed {
  key: number
}

interface Props<Row extends Keyed> {
  legend: string
  hint: string
  rows: readonly Row[]
  onRows(rows: Row[]): void
  /** The values of an added row. */
  added: Omit<Row, 'key'>
  addLabel: string
  removeLabel(row: Row): string
  fields(row: Row, change: (changed: Partial<Omit<Row, 'key'>>) => void): ReactNode
}

/** A list of rows with two fields each, which the user changes, adds and removes. */
export function KeyedRows<Row extends Keyed>(props: Props<Row>) {
  const { legend, hint, rows, onRows, added, addLabel, removeLabel, fields } = props
  const add = () => onRows([...rows, { ...added, key: Math.max(-1, ...rows.map(({ key }) => key)) + 1 } as Row])
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">{legend}</legend>
      <p className="text-soft">{hint}</p>
      {rows.map((row) => (
        <div key={row.key} className="flex items-end gap-2 border-t pt-3">
          <div className="grid min-w-0 flex-1 items-start gap-3 sm:grid-cols-2">
            {fields(row, (changed) => onRows(rows.map((one) => (one.key === row.key ? { ...one, ...changed } : one))))}
          </div>
          <IconButton label={removeLabel(row)} onClick={() => onRows(rows.filter((one) => one.key !== row.key))}>
            <X aria-hidden size={18} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={17} />
          {addLabel}
        </Button>
      </div>
    </fieldset>
  )
}
