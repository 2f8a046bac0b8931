import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { presentedUser } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import { filterNames, filterOperators, filterValueOf, searchFields, searchOperators, sortFields } from './user-query.ts'

/** Which users to list. */
const filter = {
  searchValue: z.string().max(16_384).optional(),
  /**
   * The beginning of a name, email address, username or phone number, or a whole id. It replaces `searchValue`, the order
   * and pages: users by name, at most `limit`.
   */
  search: z.string().trim().max(320).optional(),
  searchField: z.enum(searchFields).optional(),
  searchOperator: z.enum(searchOperators).optional(),
  sortBy: z.enum(sortFields).optional(),
  sortDirection: z.enum(['asc', 'desc']).optional(),
  filterField: z.enum(filterNames).optional(),
  /** Booleans are `true` and `false`; dates ISO 8601 or Unix time (ms). */
  filterValue: z.string().max(16_384).optional(),
  filterOperator: z.enum(filterOperators).optional(),
}

type Filter = z.output<z.ZodObject<typeof filter>>

const checkFilter = ({ filterField, filterValue }: Filter, context: z.RefinementCtx) => {
  const fits = !filterField || filterValue === undefined || filterValueOf(filterField, filterValue) !== null
  if (!fits)
    context.addIssue({ code: 'custom', path: ['filterValue'], message: `must be a valid value of ${filterField}` })
}

export const usersFilter = z.object(filter).superRefine(checkFilter)

const query = z
  .object({
    ...filter,
    limit: z.coerce.number<number | string>().int().min(0).max(1000).optional(),
    offset: z.coerce.number<number | string>().int().min(0).max(100_000_000).optional(),
    /** `nextCursor` of the previous page. It overrides `offset` and the order. */
    cursor: z.string().max(24_576).optional(),
  })
  .superRefine(checkFilter)

export const listUsersContract = {
  listUsers: get('/admin/list-users', {
    summary: 'Lists users with search, filter, sorting and pagination by offset or cursor',
    access: { admin: { user: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS },
    input: { query },
    answer: z.object({
      /** `lastSignInAt`: null if the user has not signed in. */
      users: z.array(presentedUser.extend({ lastSignInAt: z.date().nullable() })).max(1000),
      total: z.number(),
      /** More users match than `total`: with a search or a filter, the count stops there. */
      totalIsCapped: z.literal(true).optional(),
      /**
       * The page ended after so many users were compared with a search or a filter without an index (`contains`, `ends_with`).
       * `nextCursor` continues the search; if it is null, only a narrower one finds the others.
       */
      comparedUsers: z.number().optional(),
      limit: z.number().optional(),
      offset: z.number().optional(),
      nextCursor: z.string().nullable(),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.INVALID_CURSOR],
    budget: { d1: 3, read: 45_000 },
    reads: { uses: ['aboutUser', 'wayIn'] },
    changes: [],
  }),
}

export type UsersQuery = z.output<typeof query>
export type UsersFilter = z.output<typeof usersFilter>
