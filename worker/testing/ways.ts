import type { Scope } from '../identity/scope.ts'
import type { AuditAction } from '../kit/audit-actions.ts'
import { administrator, plain } from './admins.ts'
import type { EventCase, World } from './cases.ts'
import type { Device, TestApp } from './harness.ts'
import { type Company, company, join, someone } from './organizations.ts'
import { alice, signUp } from './people.ts'

/** Set-ups that the event cases of several features share. */

type Act = EventCase['act']

/** Throws if the answer has another status. */
export async function answered(answer: Promise<{ status: number; body: unknown }>, expected = 200): Promise<void> {
  const { status, body } = await answer
  if (status !== expected && !(expected === 200 && status < 400)) throw new Error(`${status} ${JSON.stringify(body)}`)
}

/** Calls a use case as a server does. @param action of the operation, if the use case names none */
export async function serverCall(
  app: TestApp,
  work: (scope: Scope) => Promise<unknown>,
  action: AuditAction | null = null,
): Promise<void> {
  const { scope, settle } = app.openScope()
  scope.auditing.action = action
  await work(scope)
  await settle()
}

export const signedUp =
  (work: (device: Device, world: World) => Promise<void>): Act =>
  async (world) => {
    const device = await signUp(world.app, alice)
    await world.begin()
    await work(device, world)
  }

export const asAdmin =
  (work: (admin: Device, userId: string, world: World) => Promise<void>): Act =>
  async (world) => {
    const admin = await administrator(world.app)
    const { id } = await plain(world.app, alice)
    await world.begin()
    await work(admin.device, id, world)
  }

export const atCompany =
  (
    work: (at: Company, world: World) => Promise<void>,
    before: (at: Company, app: TestApp) => Promise<unknown> = async () => {},
  ): Act =>
  async (world) => {
    const at = await company(world.app, 'acme')
    await before(at, world.app)
    await world.begin()
    await work(at, world)
  }

/** An organization with a second member. */
export const atCompanyOfTwo =
  (
    work: (at: Company, colleague: { id: string; device: Device; member: string }, world: World) => Promise<void>,
  ): Act =>
  async (world) => {
    const at = await company(world.app, 'acme')
    const person = await someone(world.app, 'Carol')
    const member = await join(at, person)
    await world.begin()
    await work(at, { ...person, member }, world)
  }

/** The effects of a sign-up. */
export const userCreation = {
  events: ['user.created', 'session.created'],
  hooks: ['creatingUser', 'signingIn', 'sessionIssued', 'userCreated'],
} satisfies Partial<EventCase>
