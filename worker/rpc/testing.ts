import * as z from 'zod'
import { validate } from '../http/body.ts'
import { httpErrors } from '../http/http.errors.ts'
import type { TestedDeployment, TestingOperation } from '../http/testing.ts'
import { choosePassword } from '../identity/accounts/passwords.ts'
import { addGivenUser } from '../identity/accounts/users.ts'
import { credentialProvider } from '../identity/model/accounts.table.ts'
import { completeSignIn } from '../identity/sign-in/sign-in.ts'
import { unitOfWork } from '../identity/unit-of-work.ts'
import { presentUser } from '../identity/users/present-user.ts'
import { coreErrors } from '../identity/users/users.errors.ts'
import { findUserById } from '../identity/users/users.store.ts'
import { AppError } from '../kit/errors.ts'
import { forgetCounts } from '../platform/rate-limit.ts'
import { advanceClock, renameObjects, resumeClock, stopClock } from '../platform/test-clock.ts'
import { serverApi } from './rpc.ts'
import type { RpcAnswer } from './rpc-answer.ts'
import { emptyDatabase, emptyKeyValues } from './testing.store.ts'

const roles = z.union([z.string(), z.array(z.string())])

const newUser = z.strictObject({
  email: z.email(),
  name: z.string(),
  password: z.string(),
  emailVerified: z.boolean().default(true),
  role: roles.optional(),
  fields: z.record(z.string(), z.unknown()).default({}),
})
const newSession = z.strictObject({ userId: z.string() })
const newOrganization = z.strictObject({
  name: z.string(),
  slug: z.string(),
  ownerId: z.string(),
  members: z.array(z.strictObject({ userId: z.string(), role: roles })).default([]),
})
const clock = z.union([
  z.strictObject({ stopAt: z.iso.datetime({ offset: true }).nullable() }),
  z.strictObject({ advance: z.number().min(0) }),
  z.strictObject({ resume: z.literal(true) }),
])

/** The result of an operation of the server API. @throws its refusal */
function resultOf<T>(answer: RpcAnswer<T>) {
  if (!answer.ok) throw new AppError(400, answer.code, answer.message, { extra: { ...answer.details } })
  return answer.result
}

const serverOf = ({ runtime, context, env }: TestedDeployment) => new (serverApi(runtime))(context, env)

/** What gatehouse-auth/testing does in the Worker (http/testing.ts). */
export const testingOperations: Record<string, TestingOperation> = {
  /** A user with a password. The steps and hooks of a sign-up run; no mail is sent. */
  async users(scope, input, deployment) {
    const { email, name, password, emailVerified, role, fields } = validate(newUser, input, 'body')
    const account = { providerId: credentialProvider, password: await choosePassword(scope, password) }
    const work = unitOfWork(scope)
    const user = await addGivenUser(scope, work, { email, name, emailVerified }, account, fields)
    work.unique('users.email', coreErrors.USER_ALREADY_EXISTS)
    await work.commit()
    if (role === undefined) return presentUser(scope, user)
    return resultOf(await serverOf(deployment).setRole({ userId: user.id, role }))
  },

  /** A session after every factor, as an own sign-in a moment ago. Refusals of bans and hooks apply. */
  async sessions(scope, input) {
    const { userId } = validate(newSession, input, 'body')
    const user = await findUserById(scope.db, userId)
    if (!user) throw coreErrors.USER_NOT_FOUND()
    const work = unitOfWork(scope)
    const result = await completeSignIn(scope, work, { user, method: 'email', proven: 'both-factors' })
    if (result.kind === 'challenged') throw httpErrors.FORBIDDEN()
    return { userId, sessionId: result.session.id, expiresAt: result.session.expiresAt }
  },

  /** An organization with its owner and members, without invitations. */
  async organizations(_scope, input, deployment) {
    const { ownerId, members, ...wanted } = validate(newOrganization, input, 'body')
    const server = serverOf(deployment)
    const created = resultOf(await server.createOrganization({ ...wanted, userId: ownerId }))
    for (const { userId, role } of members) {
      resultOf(await server.addMember({ organizationId: created.id, userId, role }))
    }
    return { id: created.id, name: created.name, slug: created.slug }
  },

  async clock(_scope, input) {
    const change = validate(clock, input, 'body')
    if ('advance' in change) advanceClock(change.advance)
    else if ('resume' in change) resumeClock()
    else stopClock(change.stopAt === null ? undefined : Date.parse(change.stopAt))
    return { now: new Date() }
  },

  /** Deletes all users, records and mails, and sets the clock to the machine's. Signing keys stay. */
  async reset(scope) {
    await Promise.all([emptyDatabase(scope.env.DB), emptyKeyValues(scope.env.KV)])
    renameObjects()
    forgetCounts()
    resumeClock()
    return { status: true }
  },
}
