import { ListFilter, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cx } from '../../lib/cx.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ChoiceField, type ChoiceGroup } from '../../ui/choice-field.tsx'
import { Field } from '../../ui/field.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { SearchField } from '../../ui/table.tsx'
import { consoleTexts } from './console.texts.ts'
import { timelineTexts } from './timeline.texts.ts'

/** The filter of a log. The address contains it. */
export interface LogFilter {
  kind: string
  user: string
  by: string
  /** Days of the reader, such as 2026-05-04. */
  from: string
  to: string
  /** A text in any field of a line. */
  q: string
}

const names = ['kind', 'user', 'by', 'from', 'to', 'q'] as const

export function useLogFilter() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const query = new URLSearchParams(search)
  const filter = Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? ''])) as unknown as LogFilter
  const isSet = names.some((name) => filter[name] !== '')
  // The state has the list from which a screen was opened.
  const go = (to: string) => navigate(to, { replace: true, state: history.state })
  function show(changes: Partial<LogFilter>) {
    const next = { ...filter, ...changes }
    const given = names.filter((name) => next[name] !== '').map((name) => [name, next[name]])
    go(given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path)
  }
  const clear = () => go(path)
  return { filter, isSet, show, clear }
}

/** The period of a filter as times: from the beginning of the first day to the end of the last. */
export function periodOf({ from, to }: LogFilter): { since?: string; until?: string } {
  const start = startOf(from, 0)
  const end = startOf(to, 1)
  return { ...(start ? { since: start } : {}), ...(end ? { until: end } : {}) }
}

function startOf(day: string, later: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const time = new Date(Number(year), Number(month) - 1, Number(date) + later)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

interface LogFilterFormProps {
  of: ReturnType<typeof useLogFilter>
  /** What can have happened. */
  kinds?: {
    label: string
    groups: readonly ChoiceGroup[]
    /** The chosen one. */
    chosen: string
    every: string
  }
  /** The users that the lines name: those that they are about, and those that have acted. */
  users?: readonly ('user' | 'by')[]
  /** The label of a search in all fields. */
  search?: string
  /** At the end of the line: exports. */
  children?: ReactNode
  /** Below the fields, where the line has no room for exports. */
  more?: ReactNode
}

export function LogFilterForm({
  of: { filter, isSet, show, clear },
  kinds,
  users = [],
  search,
  children,
  more,
}: LogFilterFormProps) {
  const t = useTexts(consoleTexts)
  const form = useRef<HTMLFormElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  // The address can change without the form: "Clear", the Back button.
  useEffect(() => {
    for (const name of names) {
      const input = form.current?.elements.namedItem(name)
      if (input instanceof HTMLInputElement && input !== document.activeElement) input.value = filter[name]
    }
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    // The fields that are hidden keep their values.
    show(Object.fromEntries(names.map((name) => [name, String(typed.get(name) ?? filter[name]).trim()])))
  }
  const text = (name: 'user' | 'by', label: string) => (
    <Field
      className="min-w-0"
      label={label}
      name={name}
      placeholder={t.addressOrId}
      defaultValue={filter[name]}
      autoComplete="off"
      spellCheck={false}
      onBlur={(event) => event.target.value.trim() !== filter[name] && event.target.form?.requestSubmit()}
    />
  )
  const day = (name: 'from' | 'to', label: string) => (
    <Field
      className="min-w-0"
      label={label}
      name={name}
      type="date"
      defaultValue={filter[name]}
      onBlur={(event) => event.target.value !== filter[name] && event.target.form?.requestSubmit()}
    />
  )
  function clearAll() {
    clear()
    button.current?.focus()
  }
  const set = (['kind', 'user', 'by', 'from', 'to'] as const).filter((name) => filter[name] !== '').length
  return (
    <search
      aria-label={t.filter}
      onKeyDown={({ key, currentTarget }) => {
        // The first Escape is for the list of a field.
        if (key !== 'Escape' || !isOpen || currentTarget.querySelector(':popover-open')) return
        setOpen(false)
        button.current?.focus()
      }}
    >
      <form ref={form} onSubmit={submit} className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          {search && (
            <div className="min-w-0 flex-1 basis-24 sm:max-w-72">
              <SearchField
                label={search}
                // The field is narrow on a phone.
                placeholder={t.search}
                name="q"
                maxLength={100}
                defaultValue={filter.q}
                autoComplete="off"
                onBlur={(event) => event.target.value.trim() !== filter.q && event.target.form?.requestSubmit()}
              />
            </div>
          )}
          <Button
            ref={button}
            className="max-sm:px-3"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <ListFilter aria-hidden size={16} />
            {set > 0 ? t.filters(set) : t.filter}
          </Button>
          {/* On a phone it is below the fields. */}
          {isSet && (
            <IconButton label={t.clearFilter} className="max-sm:hidden" onClick={clearAll}>
              <X aria-hidden size={16} />
            </IconButton>
          )}
          <div className={cx('flex flex-wrap items-center gap-2 empty:hidden sm:ms-auto', !isOpen && 'max-sm:hidden')}>
            {children}
            {isSet && (
              <Button className="sm:hidden" onClick={clearAll}>
                {t.clearFilter}
              </Button>
            )}
          </div>
        </div>
        {isOpen && (
          <div id={id} className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
            {kinds && (
              <ChoiceField
                label={kinds.label}
                className="min-w-0"
                name="kind"
                every={kinds.every}
                groups={kinds.groups}
                value={kinds.chosen}
                onChoose={(chosen) => show({ kind: chosen })}
              />
            )}
            {users.includes('user') && text('user', t.whose)}
            {users.includes('by') && text('by', t.byWhom)}
            {day('from', t.from)}
            {day('to', t.to)}
          </div>
        )}
        {isOpen && more && <div className="flex flex-wrap gap-2">{more}</div>}
        {/* The Enter key submits; every field does when it is left. */}
        <button type="submit" hidden />
      </form>
    </search>
  )
}

/** New records appear without a reload. */
export function LiveBox({ on, onSwitch }: { on: boolean; onSwitch(on: boolean): void }) {
  const t = useTexts(timelineTexts)
  return (
    <label title={t.liveWhat} className="flex min-h-10 items-center gap-2.5 pe-2">
      <input
        type="checkbox"
        // What is seen is part of the name.
        aria-label={`${t.live}: ${t.liveWhat}`}
        className="size-5"
        checked={on}
        onChange={({ target }) => onSwitch(target.checked)}
      />
      {t.live}
    </label>
  )
}

/** In place of an empty list: a filter that finds nothing can be cleared. @param none without a filter */
export function NothingFound({ of, none }: { of: ReturnType<typeof useLogFilter>; none: string }) {
  const t = useTexts(consoleTexts)
  return of.isSet ? (
    <EmptyState action={<Button onClick={of.clear}>{t.clearFilter}</Button>}>{t.noMatch}</EmptyState>
  ) : (
    <p className="text-soft">{none}</p>
  )
}
