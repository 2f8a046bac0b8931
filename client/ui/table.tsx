import { ChevronDown, Search } from 'lucide-react'
import {
  type ComponentProps,
  type Key,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button, IconButton } from './button.tsx'

export interface Column<Row> {
  key: string
  /** Empty for a column of buttons. */
  label: string
  /** Replaces the label in the head of the table. */
  head?: ReactNode
  cell(row: Row): ReactNode
  /** The name of the row: on a card it is first, without its label. It has the width that others leave, or a part of it. */
  lead?: boolean | 'shared' | 'half'
  /** Numbers are aligned at the end. */
  align?: 'end'
  /** The actions of the row: on a card they are at the top right. */
  menu?: boolean
  /** A checkbox that selects the row: its label is for screen readers; on a card it is at the top left. */
  select?: boolean
  /** A `compact` table omits it on a narrow screen. */
  minor?: boolean
  sorted?: 'ascending' | 'descending'
  onSort?(): void
}

interface TableProps<Row> {
  /** The content of the table, for screen readers. */
  caption: string
  columns: (Column<Row> | false)[]
  rows: Row[]
  rowKey(row: Row): Key
  /** The table stays a table on a narrow screen. */
  matrix?: boolean
  /** A long list: a row has one line (two with a second line of its name), also on a narrow screen. */
  compact?: boolean
  /** So many rows come at first, and with each press of a button below them. */
  first?: number
  /** No row has a control, so that the table itself must take the focus where it scrolls. */
  readOnly?: boolean
  /** The rows are outdated until new ones have loaded. */
  busy?: boolean
}

// `display: block` for cards removes the native roles: they are explicit.
const role = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
}

/** The rows that the highest usual window shows. */
const inWindow = 20

/**
 * Rows and columns across the whole section. Below 640 px a row has the lines of its name, and its other cells are a card below them,
 * which a button opens.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns: all, rows: every, rowKey, matrix, compact, first = Infinity, readOnly, busy } = props
  const t = useTexts()
  const body = useRef<HTMLTableSectionElement>(null)
  const [most, setMost] = useState(first)
  // The rest of the first rows is painted after those in the window, so that a slow device shows these sooner.
  const [whole, setWhole] = useState(every.length <= inWindow)
  useEffect(() => {
    startTransition(() => setWhole(true))
  }, [])
  const columns = all.filter((column) => column !== false)
  const folds = !matrix && !compact && columns.some(({ lead, menu, select }) => !lead && !menu && !select)
  const [open, setOpen] = useState<ReadonlySet<Key>>(new Set())
  const rows = every.slice(0, whole ? most : inWindow)
  const left = whole ? every.length - rows.length : 0
  // After a press the first of the new rows has the focus: the button may be gone.
  const begun = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (begun.current === null) return
    const row = body.current?.rows[begun.current]
    begun.current = null
    row?.querySelector<HTMLElement>('a, button, input, select')?.focus({ preventScroll: true })
  })
  const table = (
    <div
      aria-busy={busy || undefined}
      // Positioned, so that it clips visually hidden text too.
      className={cx('bleed relative', busy && 'opacity-60', matrix ? 'overflow-x-auto' : 'min-[40em]:overflow-x-auto')}
      // Scrollable content must be reachable by keyboard.
      {...(matrix || readOnly ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
    >
      <table
        {...role.table}
        className={cx(
          'table-cells w-full border-collapse text-sm',
          matrix
            ? 'wrap-normal hyphens-auto max-sm:[&_:is(th,td):not(:last-child)]:pe-2'
            : compact
              ? 'compact-rows'
              : 'cards',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead {...role.group}>
          <tr {...role.row}>
            {columns.map(({ key, label, head, align, select, sorted, onSort }) => (
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
                ) : head || (label && !select) ? (
                  head || label
                ) : (
                  <span className="sr-only">{label || t.more}</span>
                )}
              </th>
            ))}
            {folds && (
              <th {...role.head} data-fold className="min-[40em]:hidden">
                <span className="sr-only">{t.more}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} {...role.group}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              {...role.row}
              data-folded={(folds && !open.has(rowKey(row))) || undefined}
              className="border-b last:border-b-0"
            >
              {columns.map(({ key, label, lead, menu, select, minor, cell, align }) => (
                <td
                  key={key}
                  {...role.cell}
                  data-lead={lead}
                  data-menu={menu || undefined}
                  data-select={select || undefined}
                  data-minor={minor || undefined}
                  data-label={(!lead && !select && label) || undefined}
                  className={cx(align === 'end' && 'tabular-nums sm:text-end')}
                >
                  {cell(row)}
                </td>
              ))}
              {folds && (
                <td {...role.cell} data-fold>
                  <Unfold isOpen={open.has(rowKey(row))} onPress={() => setOpen(toggled(open, rowKey(row)))} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
  if (left === 0) return table
  return (
    <>
      {table}
      <Button
        className="justify-self-start"
        onClick={() => {
          begun.current = rows.length
          setMost(most + first)
        }}
      >
        {t.showMore(Math.min(left, first))}
      </Button>
    </>
  )
}

function toggled(keys: ReadonlySet<Key>, key: Key): ReadonlySet<Key> {
  const changed = new Set(keys)
  if (!changed.delete(key)) changed.add(key)
  return changed
}

/** Shows the cells of a row on a narrow screen. */
function Unfold({ isOpen, onPress }: { isOpen: boolean; onPress(): void }) {
  const t = useTexts()
  return (
    <IconButton label={t.more} aria-expanded={isOpen} onClick={onPress} className="text-soft">
      <ChevronDown aria-hidden size={18} className={cx(isOpen && 'rotate-180')} />
    </IconButton>
  )
}

/** The search field of a table: `/` focuses it. */
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
    <div className="relative w-full sm:max-w-80">
      <Search aria-hidden size={16} className="absolute inset-y-0 start-3 my-auto text-soft" />
      <input
        placeholder={label ?? t.search}
        {...input}
        ref={ref}
        type="search"
        aria-label={label ?? t.search}
        className="control ps-9"
      />
    </div>
  )
}
