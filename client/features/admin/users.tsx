import { ListFilter } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { cx } from '../../lib/cx.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useQuery } from '../../lib/queries.ts'
import { messageOf, useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { OrderField } from '../../ui/order.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, SearchField, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { consoleTexts } from '../timeline/console.texts.ts'
import { nameOf, useAdminRules, useRights } from './rights.ts'
import { useRoleNames } from './role-names.ts'
import { SavedViews } from './saved-views.tsx'
import { useSelection } from './selection.tsx'
import { StateBadge } from './state-badge.tsx'
import { adminTexts } from './texts.ts'

type User = AnswerOf<'/admin/list-users'>['users'][number]

/** The list of users. The address contains search, filter, order and page. */
export default function Users() {
  const t = useTexts(adminTexts)
  const core = useTexts()
  const language = useLanguage()
  const [, navigate] = useLocation()
  const search = useSearch()
  const view = viewOf(search)
  const { may } = useRights()
  const users = useQuery(['adminUsers', search], () => auth.admin.listUsers({ query: listQuery(view) }))
  const show = (changes: Partial<View>, replace = false) => navigate(changed(view, changes), { replace })
  // The result of the previous search or page stays until this one has loaded.
  const previous = useRef(users.data)
  if (users.data) previous.current = users.data
  const isOld = users.isPending && previous.current !== null
  const data = isOld ? previous.current : users.data
  const narrowed = view.search !== '' || view.filter !== 'all'
  const total = data?.total.toLocaleString(language)
  const selection = useSelection(data?.users ?? [], search)
  return (
    <Page
      wide
      title={t.usersTitle}
      intro={t.usersWhat}
      actions={
        // Administrators who may not list users may not create them.
        !users.error &&
        may({ user: ['create'] }) && (
          <ButtonLink to="/admin/users/new" look="primary">
            {t.createTitle}
          </ButtonLink>
        )
      }
    >
      {users.error?.status === 403 ? (
        <EmptyState>{messageOf(users.error, core, t.errors)}</EmptyState>
      ) : (
        <Section>
          <Controls view={view} show={show} />
          <div className="flex items-center justify-between gap-3">
            <p role="status" className="min-w-0 flex-1 text-sm text-soft">
              {data &&
                (isOld
                  ? '…'
                  : narrowed
                    ? (data.totalIsCapped ? t.moreUsersFound : t.usersFound)(total!)
                    : t.usersIntro(total!))}
            </p>
            <div className="flex-none">
              <ExportUsers view={view} />
            </div>
          </div>
          {users.error?.code === 'INVALID_CURSOR' ? (
            <EmptyState action={<ButtonLink to={changed(view, { cursor: '' })}>{t.firstPage}</ButtonLink>}>
              {t.errors.INVALID_CURSOR}
            </EmptyState>
          ) : (
            <Loaded of={users} errors={t.errors} skeleton={<Skeleton lines={8} />}>
              {({ users: found, nextCursor, comparedUsers }) =>
                found.length === 0 && !nextCursor ? (
                  <EmptyState action={<ButtonLink to="/admin/users">{t.clearSearch}</ButtonLink>}>
                    {t.noMatches} {view.search && t.lookedAt[view.field]} {view.filter !== 'all' && t.filterToo}
                  </EmptyState>
                ) : (
                  <>
                    {found.length > 0 && (
                      <>
                        {selection.above}
                        <UserTable users={found} view={view} show={show} busy={isOld} select={selection.column} />
                      </>
                    )}
                    {nextCursor && comparedUsers && (
                      <p className="text-soft">{t.searchGoesOn(comparedUsers.toLocaleString(language))}</p>
                    )}
                    {view.search && view.field === 'all' && data?.totalIsCapped && (
                      <p className="text-soft">{t.typeMore}</p>
                    )}
                    <nav aria-label={t.nextPage} className="flex flex-wrap gap-3 empty:hidden">
                      {view.cursor && (
                        <ButtonLink to={changed(view, { cursor: '' })} onClick={toTheTop}>
                          {t.firstPage}
                        </ButtonLink>
                      )}
                      {nextCursor && (
                        <ButtonLink to={changed(view, { cursor: nextCursor })} onClick={toTheTop}>
                          {t.nextPage}
                        </ButtonLink>
                      )}
                    </nav>
                  </>
                )
              }
            </Loaded>
          )}
          {selection.bar}
        </Section>
      )}
      {selection.dialog}
    </Page>
  )
}

/** Exports all pages of the view. */
function ExportUsers({ view }: { view: View }) {
  const t = useTexts(adminTexts)
  const { exportCsv } = useTexts(consoleTexts)
  const { limit: _limit, cursor: _cursor, ...filter } = listQuery({ ...view, cursor: '' })
  return (
    <ExportButton path="/admin/export-users" filter={filter} name="users" errors={t.errors}>
      {exportCsv}
    </ExportButton>
  )
}

/** A new page is shown from its top; the browser restores the position of earlier ones. */
const toTheTop = () => document.querySelector('h1')?.focus()

interface ViewProps {
  view: View
  show(changes: Partial<View>, replace?: boolean): void
}

/** Delay (ms) between typing and search. */
const pause = 300

function Controls({ view, show }: ViewProps) {
  const t = useTexts(adminTexts)
  const { roles, defaultRole } = useAdminRules()
  const names = useRoleNames()
  const { filter } = useTexts(consoleTexts)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState(view.search)
  // The Back button changes the address; a trailing blank of the typed text stays.
  useEffect(() => setTyped((before) => (before.trim() === view.search ? before : view.search)), [view.search])
  /** Searches within the current view, whose filter may have changed during the delay. */
  const search = () => typed.trim() !== view.search && show({ search: typed.trim() }, true)
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), pause)
    return () => clearTimeout(timer)
  }, [typed])
  function submit(event: FormEvent) {
    event.preventDefault()
    search()
  }
  return (
    <search>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <div className="flex-1 basis-24">
          <SearchField
            label={t.searchUsers}
            placeholder={t.search}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button
          className="max-sm:px-3 sm:hidden"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <ListFilter aria-hidden size={16} />
          {filter}
        </Button>
        <div id={id} className={cx('flex basis-full flex-wrap gap-3 sm:contents', !isOpen && 'max-sm:hidden')}>
          <SelectField
            label={<span className="sr-only">{t.searchIn}</span>}
            className="max-sm:basis-full"
            value={view.field}
            onChange={(event) => show({ field: event.target.value as View['field'] }, true)}
          >
            {Object.entries(t.fields).map(([field, label]) => (
              <option key={field} value={field}>
                {label}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={<span className="sr-only">{t.show}</span>}
            className="max-sm:basis-full"
            value={view.filter}
            onChange={(event) => show({ filter: event.target.value })}
          >
            {Object.entries(t.filters).map(([filter, label]) => (
              <option key={filter} value={filter}>
                {label}
              </option>
            ))}
            {Object.keys(roles)
              .filter((role) => role !== defaultRole)
              .map((role) => (
                <option key={role} value={`role:${role}`}>
                  {t.withRole(names.one(role))}
                </option>
              ))}
          </SelectField>
          <SavedViews />
          {!view.search && (
            <OrderField
              columns={['createdAt', 'name']}
              order={{ by: view.sort, descending: view.descending }}
              onOrder={({ by, descending }) => show({ sort: by, descending })}
            />
          )}
        </div>
      </form>
    </search>
  )
}

interface UserTableProps extends ViewProps {
  users: User[]
  busy: boolean
  select: Column<User> | false
}

function UserTable({ users, view, show, busy, select }: UserTableProps) {
  const t = useTexts(adminTexts)
  const { lastSignIn } = useTexts(consoleTexts)
  const names = useRoleNames()
  // Search results have the order of the searched column.
  const sorted = (by: View['sort']): Partial<Column<User>> =>
    view.search
      ? {}
      : {
          ...(view.sort === by ? { sorted: view.descending ? 'descending' : 'ascending' } : {}),
          onSort: () => show({ sort: by, descending: view.sort === by && !view.descending }),
        }
  const columns: (Column<User> | false)[] = [
    select,
    {
      key: 'person',
      label: t.person,
      lead: true,
      ...sorted('name'),
      cell: (user) => (
        <span className="flex min-w-0 items-center gap-3">
          <Avatar name={nameOf(user)} image={user.image} />
          <span className="min-w-0 text-start">
            <Link
              href={`/admin/users/${user.id}`}
              state={{ list: changed(view, { cursor: view.cursor }) }}
              className="block font-medium underline decoration-line underline-offset-4"
            >
              <Cut>{nameOf(user)}</Cut>
            </Link>
            {!isPlaceholder(user.email) && <Cut className="text-soft">{user.email}</Cut>}
          </span>
        </span>
      ),
    },
    { key: 'role', label: t.role, minor: true, cell: ({ role }) => <Cut>{names.all(role)}</Cut> },
    { key: 'state', label: t.status, cell: (user) => <StateBadge user={user} /> },
    {
      key: 'last',
      label: lastSignIn,
      minor: true,
      cell: ({ lastSignInAt }) => (lastSignInAt ? <Time date={lastSignInAt} /> : t.never),
    },
    {
      key: 'joined',
      label: t.joined,
      minor: true,
      ...sorted('createdAt'),
      cell: ({ createdAt }) => <Day date={createdAt} short />,
    },
  ]
  return <Table caption={t.usersCaption} columns={columns} rows={users} rowKey={({ id }) => id} busy={busy} compact />
}

/** The view of the user list, as the address contains it. */
interface View {
  search: string
  field: 'all' | 'email' | 'name' | 'id'
  /** `all`, `banned`, `unverified`, `guests`, or `role:` and a role. */
  filter: string
  sort: 'createdAt' | 'name' | 'email'
  descending: boolean
  /** The cursor of the page; empty for the first one. */
  cursor: string
}

const pageSize = 50

const oneOf = <const T extends string>(known: readonly T[], given: string | null): T =>
  known.find((one) => one === given) ?? (known[0] as T)

/** Unknown parameters are ignored. */
function viewOf(search: string): View {
  const query = new URLSearchParams(search)
  return {
    search: query.get('q') ?? '',
    field: oneOf(['all', 'email', 'name', 'id'], query.get('in')),
    filter: query.get('show') ?? 'all',
    sort: oneOf(['createdAt', 'name', 'email'], query.get('sort')),
    descending: query.get('order') !== 'asc',
    cursor: query.get('page') ?? '',
  }
}

/** The address of a changed view. Every change except a new page leads to the first page. */
function changed(view: View, changes: Partial<View>): string {
  const next = { ...view, cursor: '', ...changes }
  const query = new URLSearchParams()
  if (next.search) query.set('q', next.search)
  if (next.field !== 'all') query.set('in', next.field)
  if (next.filter !== 'all') query.set('show', next.filter)
  if (next.sort !== 'createdAt') query.set('sort', next.sort)
  if (!next.descending) query.set('order', 'asc')
  if (next.cursor) query.set('page', next.cursor)
  const text = query.toString()
  return text ? `/admin/users?${text}` : '/admin/users'
}

const filters: Record<string, { filterField: 'banned' | 'emailVerified' | 'isAnonymous'; filterValue: string }> = {
  banned: { filterField: 'banned', filterValue: 'true' },
  unverified: { filterField: 'emailVerified', filterValue: 'false' },
  guests: { filterField: 'isAnonymous', filterValue: 'true' },
}

/** The query of the request. Search results are sorted by the name or the searched column, which has an index. */
function listQuery({ search, field, filter, sort, descending, cursor }: View) {
  const role = /^role:(.+)$/.exec(filter)?.[1]
  return {
    limit: pageSize,
    ...(search && field === 'all'
      ? { search }
      : search
        ? {
            searchValue: search,
            searchField: field as Exclude<View['field'], 'all'>,
            searchOperator: 'starts_with' as const,
          }
        : { sortBy: sort, sortDirection: descending ? ('desc' as const) : ('asc' as const) }),
    ...(role
      ? { filterField: 'role' as const, filterOperator: 'contains' as const, filterValue: role }
      : { ...filters[filter], ...(filters[filter] ? { filterOperator: 'eq' as const } : {}) }),
    cursor: cursor || undefined,
  }
}
