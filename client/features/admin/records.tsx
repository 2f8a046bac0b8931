import { Fragment, type ReactNode, useState } from 'react'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { breakable } from '../../ui/state.tsx'
import { recordTexts } from './records.texts.ts'

/** What members and administrators see of a record. */
export type AuditLine = Omit<AnswerOf<'/organization/audit'>['entries'][number], 'hash'>

/** An action without words: `sso.rotate-key` as "sso: rotate key". */
const readable = (action: string): string =>
  action
    .split('.')
    .map((part) => part.replaceAll('-', ' '))
    .join(': ')

/** The words for an action. @param more words of the screen */
export function useActionName(more: Record<string, string> = {}): (action: string) => string {
  const { acts } = useTexts(recordTexts)
  return (action) =>
    Object.hasOwn(more, action) ? more[action]! : Object.hasOwn(acts, action) ? acts[action]! : readable(action)
}

/** The actions of administrators of the deployment have no dot. */
const isOfAdministrators = (action: string) => /^[a-z]+-organization/.test(action)

/** The actions of a filter with their words. Those of administrators say so. */
export function useActions(): Record<string, string> {
  const t = useTexts(recordTexts)
  return Object.fromEntries(
    Object.entries(t.acts).map(([action, words]) => [
      action,
      isOfAdministrators(action) ? t.through(words, wordOf(t.actors, 'administrator')) : words,
    ]),
  )
}

/** A short column keeps its words whole next to the wide column of changes. */
export const Words = ({ children }: { children: ReactNode }) => <span className="block sm:min-w-24">{children}</span>

const wordOf = (words: Record<string, string>, key: string): string => (Object.hasOwn(words, key) ? words[key]! : key)

/** The acting party by its name or its kind. */
export function useActorName(): (line: AuditLine) => string {
  const t = useTexts(recordTexts)
  return ({ actorType, actorId, actorName }) => {
    const kind = actorType === 'user' ? null : wordOf(t.actors, actorType)
    const name = actorName || (actorId && t.removed(actorId.slice(0, 8)))
    return name && kind ? t.through(name, kind) : name || kind || '–'
  }
}

/** The affected entity by its name, or its kind. */
export function useSubjectName(): (line: AuditLine) => string {
  const t = useTexts(recordTexts)
  return ({ subjectType, subjectId, subjectName, before, after }) => {
    if (subjectType === 'user') return subjectName || (subjectId ? t.removed(subjectId.slice(0, 8)) : '–')
    const name = after.name ?? before.name ?? after.email ?? before.email
    const kind = wordOf(t.subjects, subjectType)
    return typeof name === 'string' && name ? `${kind}: ${name}` : kind
  }
}

function useValue(): (value: unknown) => string {
  const t = useTexts(recordTexts)
  const language = useLanguage()
  const say = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (value instanceof Date) return value.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(say).join(', ')
    if (typeof value === 'object') return JSON.stringify(value, null, 1)
    return String(value).split(',').join(', ')
  }
  return say
}

type Values = Pick<AuditLine, 'before' | 'after'>

/** The names of the values that differ. */
const differing = ({ before, after }: Values, say: (value: unknown) => string): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => say(before[name]) !== say(after[name]))

interface ChangesProps {
  of: Values
  /** The names of values. */
  columns?: Record<string, string>
  /** Values that another column shows, unless they have changed. */
  hidden?: readonly string[]
}

/** The changed values, one a line. */
export function Changes({ of, columns = {}, hidden = [] }: ChangesProps) {
  const t = useTexts(recordTexts)
  const say = useValue()
  const isShown = (name: string) => !hidden.includes(name) || (name in of.before && name in of.after)
  const names = differing(of, say).filter(isShown)
  if (names.length === 0) return '–'
  return (
    <ul className="grid gap-0.5">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-soft">{columns[name] ?? wordOf(t.columns, name)}:</span>{' '}
          {name in of.before && `${say(of.before[name])} → `}
          {say(of.after[name])}
        </li>
      ))}
    </ul>
  )
}

/** A button that shows everything about a record. */
export function Details({ of: line }: { of: AuditLine }) {
  const t = useTexts(recordTexts)
  const nameOf = useActionName()
  const [open, setOpen] = useState(false)
  const action = nameOf(line.action)
  return (
    <>
      <Button look="quiet" aria-label={t.detailsOf(action)} onClick={() => setOpen(true)}>
        {t.details}
      </Button>
      <Dialog open={open} title={action} onClose={() => setOpen(false)}>
        <Facts line={line} />
        <Difference of={line} />
      </Dialog>
    </>
  )
}

function Facts({ line }: { line: AuditLine }) {
  const t = useTexts(recordTexts)
  const language = useLanguage()
  const [actor, subject] = [useActorName()(line), useSubjectName()(line)]
  const facts: [string, ReactNode][] = [
    [
      t.time,
      <time key="time" dateTime={line.createdAt.toISOString()}>
        {line.createdAt.toLocaleString(language, { dateStyle: 'long', timeStyle: 'medium' })}
      </time>,
    ],
    [t.by, actor],
    [t.credential, line.actorVia],
    [t.insteadOf, line.onBehalfOf],
    [t.about, subject],
    ['ID', line.subjectId],
    [t.address, line.ipAddress],
    [t.device, line.userAgent],
    [t.code, breakable(line.action)],
    [t.number, line.organizationSeq],
    [t.request, line.requestId],
    [t.record, line.id],
  ]
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {facts
        .filter(([, value]) => value !== null)
        .map(([label, value]) => (
          <Fragment key={label}>
            <dt className="text-soft">{label}</dt>
            <dd className="mb-1 wrap-anywhere sm:mb-0">{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

/** The values before and after, side by side. */
function Difference({ of }: { of: Values }) {
  const t = useTexts(recordTexts)
  const say = useValue()
  const names = differing(of, say)
  if (names.length === 0) return null
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <thead>
        <tr>
          {[t.field, t.before, t.after].map((label) => (
            <th key={label} scope="col" className="border-b py-1.5 pe-2 text-start font-medium text-soft">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} className="border-b align-top last:border-b-0">
            <th scope="row" className="py-1.5 pe-2 text-start font-normal text-soft wrap-anywhere">
              {wordOf(t.columns, name)}
            </th>
            <td className="py-1.5 pe-2 whitespace-pre-wrap wrap-anywhere">{say(of.before[name])}</td>
            <td className="py-1.5 font-medium whitespace-pre-wrap wrap-anywhere">{say(of.after[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
