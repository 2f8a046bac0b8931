import type { ReactNode } from 'react'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { cx } from '../../lib/cx.ts'
import { inList } from '../../lib/in-list.ts'
import { usePages } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Cut } from '../../ui/cut.tsx'
import { LoadedPages } from '../../ui/loaded-pages.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { useRoleNames } from '../organization/current.tsx'
import { Person } from '../organization/person.tsx'
import { ExportFile } from './export-file.tsx'
import { AuditPage } from './frame.tsx'
import { reviewTexts } from './review.texts.ts'
import { auditTexts } from './texts.ts'

type Member = AnswerOf<'/organization/access-review'>['members'][number]
type Credential = AnswerOf<'/organization/access-review-credentials'>['credentials'][number]

/** Who has what in the active organization, since when, and by which grant. */
export default function AccessReview() {
  return (
    <AuditPage>
      {({ organization: { id } }) => (
        <>
          <Members organizationId={id} />
          <Credentials organizationId={id} />
        </>
      )}
    </AuditPage>
  )
}

interface Of {
  organizationId: string
}

function Members({ organizationId }: Of) {
  const t = useTexts(reviewTexts)
  const { errors } = useTexts(auditTexts)
  const members = usePages(
    ['accessReview', organizationId],
    (cursor) => auth.organization.accessReview({ query: { limit: 50, organizationId, cursor } }),
    ({ nextCursor }) => nextCursor,
  )
  return (
    <Section id="access" title={t.title} intro={t.intro}>
      <ExportFile
        path="/organization/export-access-review"
        filter={{ organizationId }}
        name="access-review"
        formats={['csv', 'ndjson']}
      />
      <LoadedPages
        of={members}
        items={(page) => page.members}
        errors={errors}
        more={t.more}
        skeleton={<Skeleton lines={6} />}
      >
        {(list) => <MemberTable members={list} />}
      </LoadedPages>
    </Section>
  )
}

function MemberTable({ members }: { members: Member[] }) {
  const t = useTexts(reviewTexts)
  const roles = useRoleNames()
  const language = useLanguage()
  const columns: Column<Member>[] = [
    {
      key: 'member',
      label: t.member,
      lead: 'shared',
      cell: ({ userId: id, name, email, roles: held, banned, breakGlass }) => (
        <Person user={{ id, name, email, image: null }} below={roles.all(held.join())}>
          {banned && <Badge tone="danger">{t.banned}</Badge>}
          {breakGlass && <Badge tone="warning">{t.breakGlass}</Badge>}
        </Person>
      ),
    },
    {
      key: 'access',
      minor: true,
      label: t.access,
      cell: (member) => (
        <TwoLines
          first={<Given>{roles.all(member.roles.join())}</Given>}
          second={member.teams.length > 0 && <Given>{inList(member.teams, language)}</Given>}
        />
      ),
    },
    {
      key: 'since',
      minor: true,
      label: t.since,
      cell: ({ since, rolesChangedAt }) => (
        <TwoLines
          whole
          first={<Day date={since} short />}
          second={rolesChangedAt && t.changed(rolesChangedAt.toLocaleDateString(language, { dateStyle: 'medium' }))}
        />
      ),
    },
    { key: 'grant', minor: true, label: t.grant, cell: ({ grant }) => <Grant grant={grant} /> },
    {
      key: 'activity',
      minor: true,
      label: t.activity,
      cell: ({ lastActiveAt, secondFactor }) => (
        <TwoLines
          whole
          first={lastActiveAt ? <Time date={lastActiveAt} /> : t.signedOut}
          second={secondFactor ? t.withFactor : t.withoutFactor}
        />
      ),
    },
  ]
  return <Table caption={t.caption} columns={columns} rows={members} rowKey={({ id }) => id} readOnly compact />
}

function Grant({ grant }: Pick<Member, 'grant'>) {
  const t = useTexts(reviewTexts)
  if (!grant) return <span className="text-soft">{t.unrecorded}</span>
  const { origin, name } = grant
  const by = name ?? (origin === 'invitation' ? t.deletedUser : null)
  return <TwoLines first={t.origins[origin]} second={by && <Given>{by}</Given>} />
}

/** A text of a user: it may be long, and run in the other direction. Its beginning stays visible. */
const Given = ({ children }: { children: string | null }) => (
  <span className="flex">
    <Cut>{children ?? ''}</Cut>
  </span>
)

/**
 * The second line explains the first one; it is left out when it is empty.
 * @param whole short lines, such as days: the column is as wide as they are
 */
function TwoLines({ first, second, whole }: { first: ReactNode; second: ReactNode; whole?: boolean }) {
  return (
    <div className={cx('grid gap-0.5', whole ? 'w-max' : 'grid-cols-1')}>
      <span className="block truncate">{first}</span>
      {second && <span className="block truncate text-soft">{second}</span>}
    </div>
  )
}

function Credentials({ organizationId }: Of) {
  const t = useTexts(reviewTexts)
  const { errors } = useTexts(auditTexts)
  const credentials = usePages(
    ['accessReviewCredentials', organizationId],
    (cursor) => auth.organization.accessReviewCredentials({ query: { limit: 50, organizationId, cursor } }),
    ({ nextCursor }) => nextCursor,
  )
  return (
    <Section id="credentials" title={t.credentials} intro={t.credentialsIntro}>
      <LoadedPages
        of={credentials}
        items={(page) => page.credentials}
        errors={errors}
        empty={t.noCredentials}
        more={t.moreCredentials}
        skeleton={<Skeleton lines={3} />}
      >
        {(list) => <CredentialTable credentials={list} />}
      </LoadedPages>
    </Section>
  )
}

const tones = {
  active: 'success',
  disabled: 'neutral',
  paused: 'warning',
  revoked: 'neutral',
  expired: 'neutral',
} as const

function CredentialTable({ credentials }: { credentials: Credential[] }) {
  const t = useTexts(reviewTexts)
  const columns: Column<Credential>[] = [
    {
      key: 'name',
      label: t.name,
      lead: true,
      cell: ({ type, name, start }) => <TwoLines first={<Given>{name ?? start}</Given>} second={t.types[type]} />,
    },
    { key: 'access', minor: true, label: t.access, cell: ({ access }) => <Access access={access} /> },
    { key: 'since', minor: true, label: t.since, cell: ({ since }) => <Day date={since} short /> },
    { key: 'state', label: t.state, cell: ({ state }) => <Badge tone={tones[state]}>{t.states[state]}</Badge> },
    {
      key: 'used',
      minor: true,
      label: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time date={lastUsedAt} /> : t.neverUsed),
    },
  ]
  return <Table caption={t.credentials} columns={columns} rows={credentials} rowKey={({ id }) => id} readOnly compact />
}

function Access({ access }: Pick<Credential, 'access'>) {
  const t = useTexts(reviewTexts)
  const language = useLanguage()
  const all = Object.entries(access)
  if (all.length === 0) return <span className="text-soft">{t.noAccess}</span>
  return (
    <div className="grid gap-0.5">
      {all.map(([what, acts]) => (
        <Given key={what}>{`${what}: ${inList(acts, language)}`}</Given>
      ))}
    </div>
  )
}
