import * as z from 'zod'
import { httpErrors } from '../../http/http.errors.ts'
import { onBehalfOf } from '../../http/open-scope.ts'
import { operation, requireUserId } from '../../http/operations.ts'
import { withSessionDates } from '../../identity/sessions/session-cache.ts'
import { setSessionFields } from '../../identity/sessions/session-fields.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
import { beganAtEarliest } from '../../identity/sessions/sessions.ts'
import { userIdInput } from '../../identity/users/users.contract.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { AppError } from '../../kit/errors.ts'
import type { FieldValue } from '../../kit/field-rules.ts'
import { keyHeadersOf } from '../api-key/api-key.config.ts'
import { sessionContract } from './session.contract.ts'
import { describeSession, readSession } from './session.ts'

/** A value that `Headers` accepts. */
const header = z
  .string()
  .max(16_384)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value')
const fieldValue = z.union([z.string(), z.number(), z.boolean()]) as unknown as z.ZodType<FieldValue, FieldValue>

const headersInput = boundedRecord(
  z
    .string()
    .max(256)
    .regex(/^[\w!#$%&'*+.^`|~-]+$/),
  header,
  200,
)

export const sessionOperations = {
  getSession: operation(
    {
      summary:
        'Returns the session and the user of a request, by the cookie, a bearer token or an API key; null for a visitor. It counts the use of an API key, and returns null for a rejected one and for one with the access level `verify-only`.',
      permission: 'sessions:read',
      input: z.object({
        /** The headers of the request. */
        headers: headersInput.optional(),
        /** Or the values that identify the caller: the Cookie header, the Authorization header, an API key. */
        cookie: header.optional(),
        authorization: header.optional(),
        apiKey: header.optional(),
        /** Reads the database, so that an ended session is rejected immediately. */
        disableCookieCache: z.boolean().optional(),
      }),
      answer: sessionContract.getSession.answer,
      errors: [],
      budget: { d1: 5 },
      changes: [],
      reads: { replica: true },
      method: { bare: true, whenInvalid: () => null, ownSignature: true },
    },
    async (scope, { headers = {}, cookie, authorization, apiKey, disableCookieCache = false }) => {
      const asking = new Headers(headers)
      if (cookie) asking.set('cookie', cookie)
      if (authorization) asking.set('authorization', authorization)
      const [keyHeader = ''] = keyHeadersOf(scope)
      if (apiKey) asking.set(keyHeader, apiKey)
      // An extension of the session could not reach the browser.
      const query = { disableCookieCache, disableRefresh: true }
      const caller = onBehalfOf(scope, asking, sessionContract.getSession)
      try {
        const found = await readSession(caller, query)
        return (found && withSessionDates(found.read)) as never
      } catch (thrown) {
        if (thrown instanceof AppError) return null
        throw thrown
      } finally {
        scope.after(() => caller.answered())
      }
    },
  ),
  listSessions: operation(
    {
      summary:
        'Lists the active sessions of a user, newest first, each with the known facts about its device and place.',
      permission: 'sessions:read',
      input: userIdInput,
      answer: sessionContract.listSessions.answer,
      errors: [httpErrors.EITHER_USERID_OR_SESSION_IS_REQUIRED],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, input) => {
      const sessions = await listSessions(scope.db, requireUserId(input), scope.now(), beganAtEarliest(scope))
      return Promise.all(sessions.map((session) => describeSession(scope, session)))
    },
  ),
  setSessionFields: operation(
    {
      summary:
        'Sets fields of a session (`session.additionalFields`) and returns all of them; null removes a field. `sessionToken`: as in get-session, without its signature.',
      permission: 'sessions:write',
      input: z.object({
        sessionToken: z.string().max(256),
        fields: boundedRecord(z.string().max(256), z.unknown(), 100),
      }) as unknown as z.ZodType<
        { sessionToken: string; fields: Record<string, unknown> },
        { sessionToken: string; fields: Record<string, FieldValue> }
      >,
      answer: z.record(z.string(), fieldValue),
      errors: [coreErrors.INVALID_FIELD_VALUE, coreErrors.FAILED_TO_GET_SESSION],
      budget: { d1: 1 },
      changes: ['session'],
      audit: 'server.set-session-fields',
    },
    (scope, { sessionToken, fields }) => setSessionFields(scope, sessionToken, fields),
  ),
}
