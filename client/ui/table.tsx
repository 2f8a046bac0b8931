import { Search } from 'lucide-react'
import { type ComponentProps, type Key, type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'

export interface Column<Row> {
  key: string
  /** Empty for a column of buttons. */
  label: string
  cell(row: Row): ReactNode
  /** Names the row: on a card it stands first, without its label. */
  lead?: boolean
  /** Numbers stand at the end of their column. */
  align?: 'end'
  /** What can be done with the row: on a card it stands at the top right. */
  menu?: boolean
  /** For sorting: which way this column is sorted now. */
  sorted?: 'ascending' | 'descending'
  onSort?(): void
}

interface TableProps<Row> {
  /** What the table lists, for those who hear the page. */
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey(row: Row): Key
  /** Its columns are what it is about: it stays a table on a narrow screen. */
  matrix?: boolean
  /** Its rows are those of before, until the right ones have come. */
  busy?: boolean
}

// `display: block`, which makes the cards, takes the native roles away: they are spelled out.
const role = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
}

/** Rows and columns, from edge to edge of their section; below 640 px each row is a card. */
export function Table<Row>({ caption, columns, rows, rowKey, matrix, busy }: TableProps<Row>) {
  const t = useTexts()
  return (
    <div
      aria-busy={busy || undefined}
      // Positioned, so that it also clips the words that are only heard.
      className={cx('bleed relative', busy && 'opacity-60', matrix ? 'overflow-x-auto' : 'min-[40em]:overflow-x-auto')}
      // What scrolls must be reachable by the keyboard.
      {...(matrix ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
    >
      <table
        {...role.table}
        className={cx(
          'table-cells w-full border-collapse text-sm',
          matrix ? 'wrap-normal hyphens-auto max-sm:[&_:is(th,td):not(:last-child)]:pe-2' : 'cards',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead {...role.group}>
          <tr {...role.row}>
            {columns.map(({ key, label, align, sorted, onSort }) => (
              <th
                key={key}
                {...role.head}
                scope="col"
                aria-sort={sorted}
                className={cx(
                  'border-b font-medium text-soft',
                  !matrix && 'whitespace-nowrap',
                  align === 'end' ? 'text-end' : 'text-start',
                )}
              >
                {onSort ? (
                  <button type="button" onClick={onSort} className="rounded underline-offset-4 hover:underline">
                    {label} <span aria-hidden>{sorted === 'ascending' ? '↑' : sorted === 'descending' ? '↓' : ''}</span>
                  </button>
                ) : (
                  label || <span className="sr-only">{t.more}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role.group}>
          {rows.map((row) => (
            <tr key={rowKey(row)} {...role.row} className="border-b last:border-b-0">
              {columns.map(({ key, label, lead, menu, cell, align }) => (
                <td
                  key={key}
                  {...role.cell}
                  data-lead={lead || undefined}
                  data-menu={menu || undefined}
                  data-label={(!lead && label) || undefined}
                  className={cx(align === 'end' && 'tabular-nums sm:text-end')}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The search of a table: `/` puts the focus into it. */
export function SearchField({ label, ...input }: ComponentProps<'input'> & { label?: string }) {
  const t = useTexts()
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || target.matches('input, textarea, select')) return
      event.preventDefault()
      ref.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="relative w-full sm:max-w-72">
      <Search aria-hidden size={16} className="absolute inset-y-0 start-3 my-auto text-soft" />
      <input
        {...input}
        ref={ref}
        type="search"
        aria-label={label ?? t.search}
        placeholder={label ?? t.search}
        className="control ps-9"
      />
    </div>
  )
}
