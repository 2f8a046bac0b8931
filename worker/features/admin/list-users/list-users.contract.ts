import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { presentedUser } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import { filterNames, filterOperators, filterValueOf, searchFields, searchOperators, sortFields } from './user-query.ts'

const query = z
  .object({
    searchValue: z.string().max(16_384).optional(),
    searchField: z.enum(searchFields).optional(),
    searchOperator: z.enum(searchOperators).optional(),
    limit: z.coerce.number().int().min(0).max(1000).optional(),
    offset: z.coerce.number().int().min(0).max(100_000_000).optional(),
    sortBy: z.enum(sortFields).optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    filterField: z.enum(filterNames).optional(),
    /** Booleans are `true` and `false`; dates ISO 8601 or Unix time (ms). */
    filterValue: z.string().max(16_384).optional(),
    filterOperator: z.enum(filterOperators).optional(),
    /** `nextCursor` of the page before; then `offset` is not looked at, and the order is that of the page before. */
    cursor: z.string().max(24_576).optional(),
  })
  .superRefine(({ filterField, filterValue }, context) => {
    const fits = !filterField || filterValue === undefined || filterValueOf(filterField, filterValue) !== null
    if (!fits) context.addIssue({ code: 'custom', path: ['filterValue'], message: `is no value of ${filterField}` })
  })

export const listUsersContract = {
  listUsers: endpoint({
    method: 'GET',
    path: '/admin/list-users',
    summary: 'Users: searched, filtered, sorted, page by page. By cursor a late page costs what the first one does',
    access: { admin: { user: ['list'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS },
    query,
    answer: z.object({
      users: z.array(presentedUser),
      total: z.number(),
      /** There are more than `total`: with a search or a filter, no more are counted. */
      totalIsCapped: z.literal(true).optional(),
      limit: z.number().optional(),
      offset: z.number().optional(),
      nextCursor: z.string().nullable(),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS, errors.INVALID_CURSOR],
    budget: { d1: 2 },
    changes: [],
  }),
}

export type UsersQuery = z.output<typeof query>
