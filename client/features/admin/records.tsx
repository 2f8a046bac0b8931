import { Info } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { inList } from '../../lib/in-list.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Cut, CutParts } from '../../ui/cut.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { breakable } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { organizationTexts } from '../organization/texts.ts'
import { useActionName } from './actions.ts'
import { consoleTexts } from './console.texts.ts'
import { recordTexts } from './records.texts.ts'

/** What members and administrators see of a record. */
export type AuditLine = Omit<AnswerOf<'/organization/audit'>['entries'][number], 'hash'>

/** The name of a party, or its kind and its name. */
type Party = string | readonly [kind: string, name: string]

interface WhatProps {
  words: string
  parties: Party[]
  date: Date
  children: ReactNode
}

/** What happened, and below it what has changed. On a narrow screen also who did it to whom, and when. */
export function What({ words, parties, date, children }: WhatProps) {
  return (
    <span className="grid grid-cols-1 gap-0.5">
      <Cut className="font-medium">{words}</Cut>
      <span className="flex gap-3 text-soft sm:hidden">
        <CutParts className="flex-1" parts={parties.filter((one) => one !== none)} />
        <Time date={date} />
      </span>
      <span className="max-sm:hidden">{children}</span>
    </span>
  )
}

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

/** The affected entity: a user by the name, others by their kind and their name, if they have one. */
export function useSubjectName(): (line: AuditLine) => Party {
  const t = useTexts(recordTexts)
  return ({ subjectType, subjectId, subjectName, before, after }) => {
    if (subjectType === 'user') return subjectName || (subjectId ? t.removed(subjectId.slice(0, 8)) : '–')
    const name = after.name ?? before.name ?? after.email ?? before.email
    const kind = wordOf(t.subjects, subjectType)
    return typeof name === 'string' && name ? [kind, name] : kind
  }
}

/** The words for a value, by the last part of its path. */
function useValue(): (value: unknown, path: string) => string {
  const t = useTexts(recordTexts)
  const language = useLanguage()
  const nameOf = useActionName()
  const roleNames = { ...useTexts(consoleTexts).roleNames, ...useTexts(organizationTexts).roleNames }
  const say = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return none
    if (value instanceof Date) return value.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (Array.isArray(value)) return value.length === 0 ? none : inList(value.map(say), language)
    // A member of a list, such as a group and its role.
    if (typeof value === 'object') return Object.values(value).map(say).join(': ')
    return inList(String(value).split(','), language)
  }
  return (value, path) => {
    const name = lastOf(path)
    if (typeof value !== 'string' || value === '') return say(value)
    if (name === 'action') return nameOf(value.split(',')[0]!)
    if (wordsNames.includes(name)) return wordOf(t.values, value)
    if (rolesNames.includes(name))
      return inList(
        splitRoles(value).map((role) => wordOf(roleNames, role)),
        language,
      )
    return say(value)
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** The values that are roles. */
const rolesNames = ['role', 'roles', 'defaultRole']

/** The values with words of their own. */
const wordsNames = ['state', 'status', 'authentication']

/** The values that are ids. Only the details of a record have them. */
const ids = ['teamId', 'invitedBy', 'userId', 'actorId', 'connectionId', 'memberId', 'organizationId', 'owner']

type Values = Pick<AuditLine, 'before' | 'after'>

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Values of a group by their path, such as `config.issuer`. */
const flat = (values: Record<string, unknown>, path = ''): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isGroup(value) ? Object.entries(flat(value, `${path}${name}.`)) : [[`${path}${name}`, value]],
    ),
  )

interface Difference {
  name: string
  old: string
  new: string
}

/** The values that differ. */
function differences(of: Values, say: (value: unknown, path: string) => string): Difference[] {
  const [before, after] = [flat(of.before), flat(of.after)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, old: say(before[name], name), new: say(after[name], name) }))
    .filter((one) => one.old !== one.new)
}

/** The word for a value: that of its path, or of the last part of the path. */
function useValueName(columns: Record<string, string> = {}): (path: string) => string {
  const t = useTexts(recordTexts)
  const words = { ...t.columns, ...columns }
  return (path) => wordOf(words, Object.hasOwn(words, path) ? path : lastOf(path))
}

interface ChangesProps {
  of: Values
  /** The names of values. */
  columns?: Record<string, string>
  /** Values that another column shows, unless they have changed. */
  hidden?: readonly string[]
}

const none = '–'

/** The changed values in one line. The details have all of them. */
export function Changes({ of, columns, hidden = [] }: ChangesProps) {
  const say = useValue()
  const nameOf = useValueName(columns)
  const isShown = ({ name }: Difference) =>
    !ids.includes(lastOf(name)) && (!hidden.includes(name) || (name in of.before && name in of.after))
  const changed = differences(of, say).filter(isShown)
  const inWords = (value: Difference) =>
    `${nameOf(value.name)}: ${value.old === none ? '' : `${value.old} → `}${value.new}`
  if (changed.length === 0) return null
  return (
    // The first change is cut where it ends, in the direction of each value; others are shown as a whole or not at all.
    <span title={changed.map(inWords).join('\n')} className="flex h-lh flex-wrap gap-x-1 overflow-hidden text-soft">
      {changed.map(({ name, ...value }) => (
        <span key={name} className="flex max-w-full gap-x-1 not-last:after:content-['·']">
          <span className="flex-none">{nameOf(name)}:</span>
          {value.old !== none && (
            <>
              <bdi className="truncate">{value.old}</bdi> {arrow}{' '}
            </>
          )}
          <bdi className="truncate">{value.new}</bdi>
        </span>
      ))}
    </span>
  )
}

/** From the old value to the new one, in the direction of the line. */
const arrow = <span className="inline-block flex-none rtl:-scale-x-100">→</span>

/** A button that shows everything about a record. */
export function Details({ of: line }: { of: AuditLine }) {
  const t = useTexts(recordTexts)
  const nameOf = useActionName()
  const [open, setOpen] = useState(false)
  const action = nameOf(line.action)
  return (
    <>
      <Button look="quiet" aria-label={t.detailsOf(action)} onClick={() => setOpen(true)}>
        <span className="max-sm:hidden">{t.details}</span>
        <Info aria-hidden size={18} className="text-soft sm:hidden" />
      </Button>
      <Dialog open={open} title={action} onClose={() => setOpen(false)}>
        <Facts line={line} />
        <AllChanges of={line} />
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
    [t.about, typeof subject === 'string' ? subject : <KindAndName key="about" of={subject} />],
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
            <dd className="mb-1 wrap-anywhere sm:mb-0">
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
    </dl>
  )
}

const KindAndName = ({ of: [kind, name] }: { of: readonly [string, string] }) => (
  <>
    {kind}: <bdi>{name}</bdi>
  </>
)

/** The values before and after. The table of records must not contain another table: its cards are for rows. */
function AllChanges({ of }: { of: Values }) {
  const t = useTexts(recordTexts)
  const say = useValue()
  const nameOf = useValueName()
  const changed = differences(of, say)
  if (changed.length === 0) return null
  return (
    <ul className="grid gap-3 border-t pt-4 text-sm">
      {changed.map(({ name, ...value }) => (
        <li key={name} className="grid gap-1">
          <p className="font-medium wrap-anywhere">{nameOf(name)}</p>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {[[t.before, value.old] as const, [t.after, value.new] as const]
              .filter(([, text]) => text !== none)
              .map(([label, text]) => (
                <Fragment key={label}>
                  <dt className="text-soft">{label}</dt>
                  <dd className="wrap-anywhere">
                    <bdi>{text}</bdi>
                  </dd>
                </Fragment>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
