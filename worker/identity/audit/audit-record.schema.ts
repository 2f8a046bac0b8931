import * as z from 'zod'
import { instantInput } from '../../kit/inputs.ts'
import { actorTypes } from '../model/audit-context.ts'

const values = z.record(z.string(), z.unknown())

/** A record as lists return it. */
export const auditEntry = z.object({
  id: z.string(),
  createdAt: z.date(),
  action: z.string(),
  actorType: z.enum(actorTypes),
  /** The acting user, or the administrator who impersonates one; null for a party without an account. */
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  /** The id of the credential: of an API key, a server key, a client or a connection. */
  actorVia: z.string().nullable(),
  /** The impersonated user. */
  onBehalfOf: z.string().nullable(),
  subjectType: z.string(),
  subjectId: z.string().nullable(),
  /** The current name, if the subject is a user. */
  subjectName: z.string().nullable(),
  organizationId: z.string().nullable(),
  /** The number in the organization, from 1. */
  organizationSeq: z.number().nullable(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  before: values,
  after: values,
  /** The signed proof that the record has lost the personal data of a deleted user. */
  erased: z.string().optional(),
})

/** The filters of each list and export of the audit log. */
export const auditFilter = {
  /** The affected user (an id or an email address), or the id of another entity. */
  userId: z.string().max(320).optional(),
  /** The acting user: an id or an email address. */
  actorId: z.string().max(320).optional(),
  /**
   * The path of an endpoint with dots, such as `organization.update`, or an administrator's action, `ban-user`; several
   * are separated by commas.
   */
  action: z
    .string()
    .max(1024)
    .refine((actions) => actions.split(',').length <= 25)
    .optional(),
  /** The beginning and the end (exclusive) of a period. */
  since: instantInput.optional(),
  until: instantInput.optional(),
  /** A text in any field, in upper or lower case. */
  search: z.string().min(1).max(100).optional(),
}

export const auditPaging = {
  limit: z.coerce.number<number | string>().int().min(1).max(200).optional(),
  /** The `nextCursor` of the previous page. */
  cursor: z.string().max(512).optional(),
}

/** With a further page: the log is searched back to this time. A page has a maximum of records and objects that it reads. */
export const searchedTo = z.date().nullable()

/** A page in D1 is one read of at most a window of records, with the names of two users each. Of the archive it reads four objects, and a search the names of the users of each. */
export const archivedPageBudget = { d1: 5, r2: 4, read: 5000 }
