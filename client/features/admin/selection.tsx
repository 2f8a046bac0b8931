import { lazy, Suspense, useState } from 'react'
import type { Permissions } from '../../../worker/kit/permissions.ts'
import { useMember } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/table.tsx'
import { bulkTexts } from './bulk.texts.ts'
import type { BulkAct } from './bulk.tsx'
import { nameOf, useRights } from './rights.ts'

const BulkDialog = lazy(() => import('./bulk.tsx'))

/** The acts for several users, with their permissions. */
const acts: Record<BulkAct, Permissions> = {
  ban: { user: ['ban'] },
  unban: { user: ['ban'] },
  signOut: { session: ['revoke'] },
  roles: { user: ['set-role'] },
  remove: { user: ['delete'] },
}

/**
 * The users that are selected on a page of the list: its column of check boxes, the bar and the dialogs.
 * @param page identifies the page: another one has no selection
 */
export function useSelection(users: User[], page: string) {
  const { may } = useRights()
  const { user: me } = useMember()
  const [chosen, setChosen] = useState<{ page: string; ids: ReadonlySet<string> }>({ page, ids: new Set() })
  const ids: ReadonlySet<string> = chosen.page === page ? chosen.ids : new Set()
  const setIds = (next: Iterable<string>) => setChosen({ page, ids: new Set(next) })
  /** The act with its users: the list may load again during the run. */
  const [open, setOpen] = useState<{ act: BulkAct; users: User[] } | null>(null)
  const offered = (Object.keys(acts) as BulkAct[]).filter((act) => may(acts[act]))
  const others = users.filter(({ id }) => id !== me.id)
  // A user who is no longer listed is no longer selected.
  const selected = others.filter(({ id }) => ids.has(id))
  const t = useTexts(bulkTexts)
  const toggleAll = () => setIds(selected.length === others.length ? [] : others.map(({ id }) => id))
  const all = {
    label: t.selectPage,
    checked: selected.length > 0 && selected.length === others.length,
    some: selected.length > 0,
    onChange: toggleAll,
  }
  function toggle(id: string) {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    setIds(next)
  }
  const column: Column<User> = {
    key: 'select',
    label: t.selectPage,
    head: <Box {...all} />,
    select: true,
    cell: (user) => (
      <Box
        label={t.select(nameOf(user))}
        checked={ids.has(user.id) && user.id !== me.id}
        disabled={user.id === me.id ? t.yourself : undefined}
        onChange={() => toggle(user.id)}
      />
    ),
  }
  return {
    column: offered.length > 0 && others.length > 0 && column,
    /** Above cards, which have no head. */
    above: offered.length > 0 && others.length > 1 && (
      <label className="flex min-h-10 items-center gap-2.5 sm:hidden">
        <input type="checkbox" className="size-5" checked={all.checked} onChange={toggleAll} />
        {t.selectPage}
      </label>
    ),
    bar: selected.length > 0 && (
      <BulkBar
        count={selected.length}
        acts={offered}
        onAct={(act) => setOpen({ act, users: selected })}
        onClear={() => setIds([])}
      />
    ),
    dialog: open && (
      <Suspense>
        <BulkDialog
          {...open}
          onClose={(failed) => {
            setOpen(null)
            if (failed) setIds(failed.map(({ id }) => id))
          }}
        />
      </Suspense>
    ),
  }
}

interface BoxProps {
  label: string
  checked: boolean
  /** Some, but not all, of the rows are selected. */
  some?: boolean
  /** Why it cannot be selected. */
  disabled?: string | undefined
  onChange(): void
}

function Box({ label, checked, some, disabled, onChange }: BoxProps) {
  return (
    <label className="-m-2.5 grid size-10 cursor-pointer place-items-center" title={disabled}>
      <input
        type="checkbox"
        ref={(input) => {
          if (input) input.indeterminate = some === true && !checked
        }}
        aria-label={label}
        checked={checked}
        disabled={disabled !== undefined}
        onChange={onChange}
        className="size-5"
      />
    </label>
  )
}

interface BulkBarProps {
  count: number
  acts: BulkAct[]
  onAct(act: BulkAct): void
  onClear(): void
}

function BulkBar({ count, acts, onAct, onClear }: BulkBarProps) {
  const t = useTexts(bulkTexts)
  return (
    <section
      aria-label={t.barLabel}
      className="sticky bottom-3 z-10 flex flex-wrap items-center gap-2 rounded-lg border bg-surface p-2 shadow-raised"
    >
      <p role="status" className="px-2 font-medium tabular-nums">
        {t.selected(count)}
      </p>
      <div className="ms-auto flex flex-wrap gap-2">
        {acts.map((act) => (
          <Button
            key={act}
            look={act === 'ban' || act === 'remove' ? 'danger' : 'secondary'}
            onClick={() => onAct(act)}
          >
            {t[act]}
          </Button>
        ))}
        <Button look="quiet" onClick={onClear}>
          {t.clear}
        </Button>
      </div>
    </section>
  )
}
