/** What the list of users shows, as it stands in the address. */
export interface View {
  search: string
  field: 'email' | 'name' | 'id'
  /** `all`, `banned`, `unverified`, `guests`, or `role:` with a role. */
  filter: string
  sort: 'createdAt' | 'name' | 'email'
  descending: boolean
  /** Where the page begins; empty for the first one. */
  cursor: string
}

const pageSize = 50

const oneOf = <const T extends string>(known: readonly T[], given: string | null): T =>
  known.find((one) => one === given) ?? (known[0] as T)

/** Whatever else an address says is not looked at. */
export function viewOf(search: string): View {
  const query = new URLSearchParams(search)
  return {
    search: query.get('q') ?? '',
    field: oneOf(['email', 'name', 'id'], query.get('in')),
    filter: query.get('show') ?? 'all',
    sort: oneOf(['createdAt', 'name', 'email'], query.get('sort')),
    descending: query.get('order') !== 'asc',
    cursor: query.get('page') ?? '',
  }
}

/** The address of a view with some changes. Anything but the page itself leads to the first page. */
export function changed(view: View, changes: Partial<View>): string {
  const next = { ...view, cursor: '', ...changes }
  const query = new URLSearchParams()
  if (next.search) query.set('q', next.search)
  if (next.field !== 'email') query.set('in', next.field)
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

/** What the server is asked. A search is read in the order of what is searched, which an index holds. */
export function listQuery({ search, field, filter, sort, descending, cursor }: View) {
  const role = /^role:(.+)$/.exec(filter)?.[1]
  return {
    limit: pageSize,
    ...(search
      ? { searchValue: search, searchField: field, searchOperator: 'starts_with' as const }
      : { sortBy: sort, sortDirection: descending ? ('desc' as const) : ('asc' as const) }),
    ...(role
      ? { filterField: 'role' as const, filterOperator: 'contains' as const, filterValue: role }
      : { ...filters[filter], ...(filters[filter] ? { filterOperator: 'eq' as const } : {}) }),
    ...(cursor ? { cursor } : {}),
  }
}
