import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar } from '../../ui/small.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/state.tsx'
import { type Column, SearchField, Table } from '../../ui/table.tsx'
import { Day } from '../../ui/time.tsx'
import { organizationsTexts } from './organizations.texts.ts'
import { adminTexts } from './texts.ts'

type Listed = AnswerOf<'/admin/list-organizations'>['organizations'][number]

/** The address contains the search (`q`) and the cursor of the page (`page`). */
const addressOf = (view: { q?: string; page?: string }): string => {
  const query = new URLSearchParams(Object.entries(view).filter(([, value]) => value)).toString()
  return query ? `/admin/organizations?${query}` : '/admin/organizations'
}

const pageSize = 50

/** The list of all organizations. */
export default function Organizations() {
  const t = useTexts(organizationsTexts)
  const admin = useTexts(adminTexts)
  const address = useSearch()
  const query = new URLSearchParams(address)
  const [search, cursor] = [query.get('q') ?? '', query.get('page') ?? '']
  const list = useQuery(['adminOrganizations', address], () =>
    auth.admin.listOrganizations({
      query: { limit: pageSize, ...(search ? { search } : {}), ...(cursor && !search ? { cursor } : {}) },
    }),
  )
  // The result of the previous search or page stays until this one has loaded.
  const previous = useRef(list.data)
  if (list.data) previous.current = list.data
  const isOld = list.isPending && previous.current !== null
  const data = isOld ? previous.current : list.data
  const first = <ButtonLink to={addressOf({})}>{admin.firstPage}</ButtonLink>
  return (
    <Page
      wide
      title={t.title}
      intro={
        <span role="status">
          {!search || !data ? t.intro : (data.moreMatch ? t.moreFound : t.found)(data.organizations.length)}
        </span>
      }
    >
      {list.error?.status === 403 ? (
        <EmptyState>{t.errors[list.error.code ?? ''] ?? admin.somethingWrong}</EmptyState>
      ) : (
        <Section>
          <Search search={search} />
          {list.error?.code === 'INVALID_CURSOR' ? (
            <EmptyState action={first}>{t.errors.INVALID_CURSOR}</EmptyState>
          ) : (
            <Loaded of={{ ...list, data: data ?? null }} errors={t.errors} skeleton={<Skeleton lines={8} />}>
              {({ organizations, nextCursor, moreMatch }) =>
                organizations.length === 0 ? (
                  search ? (
                    <EmptyState action={<ButtonLink to={addressOf({})}>{admin.clearSearch}</ButtonLink>}>
                      {t.noMatches}
                    </EmptyState>
                  ) : (
                    <EmptyState>{t.none}</EmptyState>
                  )
                ) : (
                  <>
                    <OrganizationTable
                      rows={organizations}
                      list={addressOf({ q: search, page: cursor })}
                      busy={isOld}
                    />
                    {moreMatch && <p className="text-soft">{admin.typeMore}</p>}
                    <nav aria-label={admin.nextPage} className="flex flex-wrap gap-3 empty:hidden">
                      {cursor && !search && first}
                      {nextCursor && (
                        <ButtonLink
                          to={addressOf({ page: nextCursor })}
                          onClick={() => document.querySelector('h1')?.focus()}
                        >
                          {admin.nextPage}
                        </ButtonLink>
                      )}
                    </nav>
                  </>
                )
              }
            </Loaded>
          )}
        </Section>
      )}
    </Page>
  )
}

/** Delay (ms) between typing and search. */
const pause = 300

function Search({ search }: { search: string }) {
  const t = useTexts(organizationsTexts)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState(search)
  // The Back button changes the address; a trailing blank of the typed text stays.
  useEffect(() => setTyped((before) => (before.trim() === search ? before : search)), [search])
  const show = () => typed.trim() !== search && navigate(addressOf({ q: typed.trim() }), { replace: true })
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), pause)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          show()
        }}
      >
        <SearchField label={t.searchAll} value={typed} onChange={(event) => setTyped(event.target.value)} />
      </form>
    </search>
  )
}

function OrganizationTable({ rows, list, busy }: { rows: Listed[]; list: string; busy: boolean }) {
  const t = useTexts(organizationsTexts)
  const count = useMemberCount()
  const columns: Column<Listed>[] = [
    {
      key: 'organization',
      label: t.organization,
      lead: true,
      cell: ({ id, name, slug, logo }) => (
        <span className="flex min-w-0 items-center gap-3">
          <Avatar name={name} image={logo} />
          <span className="min-w-0 text-start">
            <Link
              href={`/admin/organizations/${id}`}
              state={{ list }}
              className="block font-medium underline decoration-line underline-offset-4"
            >
              <Cut>{name}</Cut>
            </Link>
            <Cut className="text-soft">{slug}</Cut>
          </span>
        </span>
      ),
    },
    { key: 'members', label: t.membersTitle, align: 'end', minor: true, cell: ({ memberCount }) => count(memberCount) },
    { key: 'created', label: t.created, cell: ({ createdAt }) => <Day date={createdAt} short /> },
  ]
  return <Table caption={t.caption} columns={columns} rows={rows} rowKey={({ id }) => id} busy={busy} compact />
}

/** The server counts up to 1000. */
const countCap = 1000

export function useMemberCount() {
  const language = useLanguage()
  return (count: number) => `${count.toLocaleString(language)}${count >= countCap ? '+' : ''}`
}

export function useMembersInWords() {
  const t = useTexts(organizationsTexts)
  return (count: number) => (count >= countCap ? t.manyMembers(count) : t.memberCount(count))
}
