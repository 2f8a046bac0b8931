import { ListFilter } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cx } from '../../lib/cx.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField, type ChoiceGroup } from '../../ui/choice-field.tsx'
import { Field } from '../../ui/field.tsx'
import { SearchField } from '../../ui/table.tsx'
import { consoleTexts } from './console.texts.ts'

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
  function show(changes: Partial<LogFilter>) {
    const next = { ...filter, ...changes }
    const given = names.filter((name) => next[name] !== '').map((name) => [name, next[name]])
    navigate(given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path, { replace: true })
  }
  const clear = () => navigate(path, { replace: true })
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
  label: string
  kinds: readonly ChoiceGroup[]
  /** The chosen one. */
  kind: string
  every: string
  /** Whether the log has an acting user, too. */
  hasActor?: boolean
  /** The label of a search in all fields. */
  search?: string
}

export function LogFilterForm({
  of: { filter, isSet, show, clear },
  label,
  kinds,
  kind,
  every,
  hasActor,
  search,
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
  const set = (['kind', 'user', 'by', 'from', 'to'] as const).filter((name) => filter[name] !== '').length
  return (
    <search aria-label={t.filter}>
      <form ref={form} onSubmit={submit} className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          {search && (
            <div className="min-w-0 flex-1 basis-48">
              <SearchField
                label={search}
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
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <ListFilter aria-hidden size={16} />
            {set > 0 ? t.filters(set) : t.filter}
          </Button>
          {isSet && (
            <Button
              look="quiet"
              onClick={() => {
                clear()
                button.current?.focus()
              }}
            >
              {t.clearFilter}
            </Button>
          )}
        </div>
        {isOpen && (
          <div
            id={id}
            className={cx('grid items-end gap-3 sm:grid-cols-2', hasActor ? 'lg:grid-cols-3' : 'lg:grid-cols-4')}
          >
            <ChoiceField
              label={label}
              className="min-w-0"
              name="kind"
              every={every}
              groups={kinds}
              value={kind}
              onChoose={(chosen) => show({ kind: chosen })}
            />
            {text('user', t.whose)}
            {hasActor && text('by', t.byWhom)}
            {day('from', t.from)}
            {day('to', t.to)}
          </div>
        )}
        {/* The Enter key submits; every field does when it is left. */}
        <button type="submit" hidden />
      </form>
    </search>
  )
}
