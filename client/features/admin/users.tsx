import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { auth } from '../../lib/api.ts'
import { errorOf, unwrap } from '../../lib/call-error.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, SearchField, Table } from '../../ui/table.tsx'
import { Day } from '../../ui/time.tsx'
import { type ManagedUser, nameOf, useAdminRules, useRights } from './rights.ts'
import { StateBadge } from './state-badge.tsx'
import { adminTexts } from './texts.ts'
import { changed, listQuery, type View, viewOf } from './users-view.ts'

/** Everybody: what is searched for, filtered, sorted and shown stands in the address. */
export default function Users() {
  const t = useTexts(adminTexts)
  const language = useLanguage()
  const [, navigate] = useLocation()
  const search = useSearch()
  const view = viewOf(search)
  const { may } = useRights()
  const users = useQuery({
    queryKey: ['adminUsers', search],
    queryFn: () => unwrap(auth.admin.listUsers({ query: listQuery(view) })),
    placeholderData: keepPreviousData,
  })
  const show = (changes: Partial<View>, replace = false) => navigate(changed(view, changes), { replace })
  /** What is there is of another search or page, until that of this one has come. */
  const { data, isPlaceholderData: isOld } = users
  const narrowed = view.search !== '' || view.filter !== 'all'
  const total = data?.total.toLocaleString(language)
  return (
    <Page
      title={t.usersTitle}
      intro={
        data && (
          <span role="status">
            {isOld ? '…' : narrowed ? t.usersFound(total!, data.totalIsCapped ?? false) : t.usersIntro(total!)}
          </span>
        )
      }
      actions={
        // Who is refused the list may create nobody either.
        !users.isError &&
        may({ user: ['create'] }) && (
          <ButtonLink to="/admin/users/new" look="primary">
            {t.createUser}
          </ButtonLink>
        )
      }
    >
      <Section>
        <Controls view={view} show={show} />
        {users.error && errorOf(users.error).code === 'INVALID_CURSOR' ? (
          <EmptyState action={<ButtonLink to={changed(view, { cursor: '' })}>{t.firstPage}</ButtonLink>}>
            {t.errors.INVALID_CURSOR}
          </EmptyState>
        ) : (
          <Loaded of={users} errors={t.errors} skeleton={<Skeleton lines={8} />}>
            {({ users: found, nextCursor }) =>
              found.length === 0 ? (
                <EmptyState action={<ButtonLink to="/admin/users">{t.clearSearch}</ButtonLink>}>
                  {t.nobodyFound}
                </EmptyState>
              ) : (
                <>
                  <UserTable users={found as unknown as ManagedUser[]} view={view} show={show} busy={isOld} />
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
      </Section>
    </Page>
  )
}

/** Another page is read from its beginning; on the way back the browser knows where one was. */
const toTheTop = () => document.querySelector('h1')?.focus()

interface ViewProps {
  view: View
  show(changes: Partial<View>, replace?: boolean): void
}

/** How long somebody pauses before what they typed is looked for (ms). */
const pause = 300

function Controls({ view, show }: ViewProps) {
  const t = useTexts(adminTexts)
  const { roles, defaultRole } = useAdminRules()
  const [typed, setTyped] = useState(view.search)
  // The address changes by itself when somebody goes back; a blank that is about to be followed by a word stays.
  useEffect(() => setTyped((before) => (before.trim() === view.search ? before : view.search)), [view.search])
  /** Looks for what is typed, in the view as it is by then: a filter may have been chosen during the pause. */
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
        <div className="flex-1 basis-48">
          <SearchField label={t.searchUsers} value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
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
                {t.withRole(role)}
              </option>
            ))}
        </SelectField>
        {/* Where rows are cards, there are no heads of columns to sort by. */}
        {!view.search && (
          <SelectField
            label={<span className="sr-only">{t.sort}</span>}
            className="basis-full sm:hidden"
            value={`${view.sort} ${view.descending ? 'desc' : 'asc'}`}
            onChange={(event) => {
              const [sort, direction] = event.target.value.split(' ') as [View['sort'], string]
              show({ sort, descending: direction === 'desc' })
            }}
          >
            {Object.entries(t.sorts).map(([sort, label]) => (
              <option key={sort} value={sort}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
      </form>
    </search>
  )
}

function UserTable({ users, view, show, busy }: ViewProps & { users: ManagedUser[]; busy: boolean }) {
  const t = useTexts(adminTexts)
  // What a search finds stands in the order of what was searched.
  const sorted = (by: View['sort']): Partial<Column<ManagedUser>> =>
    view.search
      ? {}
      : {
          ...(view.sort === by ? { sorted: view.descending ? 'descending' : 'ascending' } : {}),
          onSort: () => show({ sort: by, descending: view.sort === by && !view.descending }),
        }
  const columns: Column<ManagedUser>[] = [
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
              className="font-medium underline decoration-line underline-offset-4 wrap-anywhere"
            >
              {nameOf(user)}
            </Link>
            {!isPlaceholder(user.email) && <span className="block text-soft wrap-anywhere">{user.email}</span>}
          </span>
        </span>
      ),
    },
    { key: 'role', label: t.role, cell: ({ role }) => role.split(',').join(', ') },
    { key: 'state', label: t.state, cell: (user) => <StateBadge user={user} /> },
    { key: 'joined', label: t.joined, ...sorted('createdAt'), cell: ({ createdAt }) => <Day date={createdAt} /> },
  ]
  return <Table caption={t.usersCaption} columns={columns} rows={users} rowKey={({ id }) => id} busy={busy} />
}
