import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { auth } from '../../lib/api.ts'
import { unwrap } from '../../lib/call-error.ts'
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
  const { data } = users
  const narrowed = view.search !== '' || view.filter !== 'all'
  const total = data?.total.toLocaleString(language)
  return (
    <Page
      title={t.usersTitle}
      intro={data && (narrowed ? t.usersFound(total!, data.totalIsCapped ?? false) : t.usersIntro(total!))}
      actions={
        may({ user: ['create'] }) && (
          <ButtonLink to="/admin/users/new" look="primary">
            {t.createUser}
          </ButtonLink>
        )
      }
    >
      <Section>
        <Controls view={view} show={show} />
        <Loaded of={users} errors={t.errors} skeleton={<Skeleton lines={8} />}>
          {({ users: found, nextCursor }) =>
            found.length === 0 ? (
              <EmptyState action={<ButtonLink to="/admin/users">{t.clearSearch}</ButtonLink>}>
                {t.nobodyFound}
              </EmptyState>
            ) : (
              <>
                <UserTable users={found as unknown as ManagedUser[]} view={view} show={show} />
                <nav aria-label={t.nextPage} className="flex flex-wrap gap-3 empty:hidden">
                  {view.cursor && <ButtonLink to={changed(view, { cursor: '' })}>{t.firstPage}</ButtonLink>}
                  {nextCursor && <ButtonLink to={changed(view, { cursor: nextCursor })}>{t.nextPage}</ButtonLink>}
                </nav>
              </>
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
}

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
  // The address changes by itself when somebody goes back.
  useEffect(() => setTyped(view.search), [view.search])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    if (typed.trim() === view.search) return
    const timer = setTimeout(() => show({ search: typed.trim() }, true), pause)
    return () => clearTimeout(timer)
  }, [typed])
  function submit(event: FormEvent) {
    event.preventDefault()
    show({ search: typed.trim() }, true)
  }
  return (
    <search>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <div className="flex-1 basis-48">
          <SearchField label={t.searchUsers} value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
        <SelectField
          label={<span className="sr-only">{t.searchIn}</span>}
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
      </form>
    </search>
  )
}

function UserTable({ users, view, show }: ViewProps & { users: ManagedUser[] }) {
  const t = useTexts(adminTexts)
  const sorted = (by: View['sort']): Partial<Column<ManagedUser>> => ({
    ...(view.sort === by ? { sorted: view.descending ? 'descending' : 'ascending' } : {}),
    onSort: () => show({ sort: by, descending: view.sort === by && !view.descending }),
  })
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
            <Link href={`/admin/users/${user.id}`} className="font-medium wrap-anywhere">
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
  return <Table caption={t.usersCaption} columns={columns} rows={users} rowKey={({ id }) => id} />
}
