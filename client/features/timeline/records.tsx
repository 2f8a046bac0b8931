import { Fragment } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { inList } from '../../lib/in-list.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { breakable } from '../../ui/state.tsx'
import { apiKeyTexts } from '../api-key/texts.ts'
import { useLevelNames, useReasonNames } from '../insights/reasons.ts'
import { organizationTexts } from '../organization/texts.ts'
import { useDeviceNames } from '../session/labels.ts'
import { isSignIn, useActionName } from './actions.ts'
import { consoleTexts } from './console.texts.ts'
import { Facts } from './facts.tsx'
import type { Line, Party } from './line.ts'
import { PartyName } from './party-name.tsx'
import { recordTexts } from './records.texts.ts'

/** What members and administrators see of a record. */
export type AuditLine = Omit<AnswerOf<'/organization/audit'>['entries'][number], 'hash'>

const wordOf = (words: Record<string, string>, key: string): string => (Object.hasOwn(words, key) ? words[key]! : key)

/** Where the screens of users and things are. */
export type Place = 'console' | 'organization'

const hrefs: Record<Place, Partial<Record<string, (id: string) => string>>> = {
  console: {
    user: (id) => `/admin/users/${id}`,
    organization: (id) => `/admin/organizations/${id}`,
    'server-key': () => '/admin/server-keys',
    'audit-stream': () => '/admin/audit/streams',
    'signal-receiver': () => '/admin/signal-receivers',
    resource: () => '/admin/resources',
  },
  organization: {
    user: () => '/organization/members',
    member: () => '/organization/members',
    organization: () => '/organization/settings',
    invitation: () => '/organization/invitations',
    team: (id) => `/organization/teams/${id}`,
    connection: (id) => `/organization/settings/single-sign-on/${id}`,
    domain: () => '/organization/settings/single-sign-on',
    'audit-stream': () => '/organization/audit/streams',
    resource: () => '/organization/resources',
  },
}

/** The acting party by its name or its kind. */
function useActor(place: Place): (line: AuditLine) => Party | undefined {
  const t = useTexts(recordTexts)
  return ({ actorType, actorId, actorName }) => {
    const kind = actorType === 'user' ? null : wordOf(t.actors, actorType)
    const name = actorName || (actorId && t.removed(actorId.slice(0, 8)))
    const shown = name && kind ? t.through(name, kind) : name || kind
    if (!shown) return undefined
    const isUser = actorType === 'user' || actorType === 'administrator'
    return { name: shown, ...(isUser && actorId && actorName !== null ? { href: hrefs[place].user!(actorId) } : {}) }
  }
}

/** Reads and exports concern many entities. */
const isAboutMany = (action: string) => /(^|\.)export-/.test(action)

/** The affected entity: a user by the name, others by their kind and their name, if they have one. */
function useSubject(place: Place): (line: AuditLine) => Party | undefined {
  const t = useTexts(recordTexts)
  return ({ action, subjectType, subjectId, subjectName, before, after }) => {
    const href = subjectId === null ? undefined : hrefs[place][subjectType]?.(subjectId)
    if (subjectType === 'user') {
      if (subjectId === null || isAboutMany(action)) return undefined
      return subjectName ? { name: subjectName, href } : { name: t.removed(subjectId.slice(0, 8)) }
    }
    const given = after.name ?? before.name ?? after.email ?? before.email ?? after.network
    const name = typeof given === 'string' ? given : ''
    const kind = Object.hasOwn(t.subjects, subjectType) ? t.subjects[subjectType] : undefined
    if (!kind && !name) return undefined
    const isGone = /(^|[.-])(delete|remove|revoke|end|leave)\b/.test(action)
    return {
      kind,
      name,
      href: isGone ? undefined : href,
    }
  }
}

/** The words for a value, by the last part of its path. */
function useValue(): (value: unknown, path: string) => string {
  const t = useTexts(recordTexts)
  const language = useLanguage()
  const nameOf = useActionName()
  const [levelOf, reasonOf] = [useLevelNames(), useReasonNames()]
  const { accessLevels } = useTexts(apiKeyTexts)
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
    if (name === 'access') return wordOf(accessLevels, value)
    if (wordsNames.includes(name)) return wordOf(Object.hasOwn(spelled, value) ? spelled : t.values, value)
    if (name === 'risk') return levelOf(value)
    if (name === 'reasons') return inList(value.split(' ').map(reasonOf), language)
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
const wordsNames = ['state', 'status', 'authentication', 'type', 'format']

/** What has the same name in each language. */
const spelled: Record<string, string> = {
  ...{ oidc: 'OpenID Connect', saml: 'SAML', csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', ocsf: 'OCSF', record: 'JSON' },
}

/** The values that are ids or names of the interface for programs. Only the details of a record have them. */
const internal = [
  ...['teamId', 'invitedBy', 'userId', 'actorId', 'connectionId', 'memberId', 'organizationId', 'owner'],
  ...['sink', 'from', 'step', 'secret', 'scopes', 'permissions', 'allowedMethods'],
]

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

const none = '–'

interface ChangesProps {
  of: Difference[]
  /** The names of values. */
  columns: Record<string, string> | undefined
}

/** The changed values in one line. The details have all of them. */
function Changes({ of: changed, columns }: ChangesProps) {
  const nameOf = useValueName(columns)
  const inWords = (value: Difference) =>
    `${nameOf(value.name)}: ${value.old === none ? '' : `${value.old} → `}${value.new}`
  if (changed.length === 0) return null
  return (
    // The first change is cut where it ends, in the direction of each value; others are shown as a whole or not at all.
    <span title={changed.map(inWords).join('\n')} className="flex h-lh flex-wrap gap-x-1 overflow-hidden text-soft">
      {changed.map(({ name, ...value }) => (
        <span key={name} className="flex max-w-full gap-x-1 not-first:before:content-['·']">
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

/** Whether the value has words, and no other part of the line shows it. */
const isNews = (
  { subjectType, before, after }: AuditLine,
  { name }: Difference,
  columns: Record<string, string>,
): boolean =>
  (Object.hasOwn(columns, name) || Object.hasOwn(columns, lastOf(name))) &&
  !name.split('.').some((part) => internal.includes(part)) &&
  (subjectType === 'user' || !['name', 'email'].includes(name) || (name in before && name in after))

/** A function for the lines of records. @param columns the names of values */
export function useRecordLines(place: Place, columns?: Record<string, string>): (records: AuditLine[]) => Line[] {
  const t = useTexts(recordTexts)
  const nameOf = useActionName()
  const say = useValue()
  const deviceOf = useDeviceNames()
  const [actorOf, subjectOf] = [useActor(place), useSubject(place)]
  return (records) =>
    records.map((record) => {
      const [by, about] = [actorOf(record), subjectOf(record)]
      const words = nameOf(record.action)
      const device = record.device ? deviceOf(record.device) : undefined
      const changed = differences(record, say).filter((one) => isNews(record, one, { ...t.columns, ...columns }))
      return {
        id: record.id,
        date: record.createdAt,
        words,
        isSignIn: isSignIn(record.action),
        about,
        by,
        device,
        places: record.ipAddress ? [record.ipAddress] : [],
        more: <Changes of={changed} columns={columns} />,
        same: JSON.stringify([words, by, about, device, changed]),
        details: () => <RecordDetails of={record} by={by} about={about} />,
      }
    })
}

/** Everything about a record. */
function RecordDetails({ of: line, by, about }: { of: AuditLine } & Pick<Line, 'by' | 'about'>) {
  const t = useTexts(recordTexts)
  return (
    <>
      <Facts
        date={line.createdAt}
        facts={[
          [t.by, by && <PartyName of={by} />],
          [t.credential, line.actorVia],
          [t.insteadOf, line.onBehalfOf],
          [t.about, about && <PartyName of={about} />],
          ['ID', line.subjectId],
          [t.address, line.ipAddress],
          [t.device, line.userAgent],
          [t.code, breakable(line.action)],
          [t.number, line.organizationSeq],
          [t.request, line.requestId],
          [t.record, line.id],
        ]}
      />
      <AllChanges of={line} />
    </>
  )
}

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
