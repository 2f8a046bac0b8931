import { beforeEach, describe, expect, it, vi } from 'vitest'
import { commandStatement } from '../../cli/users/operator-job.ts'
import { administrator, auditRows, plain, root } from '../../testing/admins.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { alice } from '../../testing/people.ts'
import { storedRows } from '../../testing/rows.ts'
import type { OperatorCommand } from './operator-commands.ts'

beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

const app = () => new TestApp({ rateLimit: { enabled: false } })

/** Writes a job with the statement of the command line, and runs the cron trigger. */
async function run(gatehouse: TestApp, command: OperatorCommand): Promise<void> {
  await env.DB.exec(commandStatement(command, new Date()))
  await gatehouse.runScheduled()
}

const userNamed = async (id: string) => (await storedRows('users')).find((user) => (user as { id: string }).id === id)
const failed = async () => (await storedRows('jobs')).filter((job) => (job as { state: string }).state === 'failed')

describe('a command of the command line', () => {
  it('bans and unbans a user with the audit log and the end of the sessions', async () => {
    const gatehouse = app()
    const { id, device } = await plain(gatehouse, alice)
    await run(gatehouse, { action: 'ban', userId: id, reason: "it's spam", expiresIn: null })
    expect(await userNamed(id)).toMatchObject({ banned: 1, ban_reason: "it's spam" })
    expect(await storedRows('sessions')).toEqual([])
    expect((await device.get('/get-session')).body).toBeNull()
    await run(gatehouse, { action: 'unban', userId: id })
    expect(await userNamed(id)).toMatchObject({ banned: 0, ban_reason: null })
    expect((await auditRows()).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['ban-user', null],
      ['unban-user', null],
    ])
    expect(await storedRows('jobs')).toEqual([])
  })

  it('makes an administrator, who keeps the other roles', async () => {
    const gatehouse = app()
    const { id } = await plain(gatehouse, alice)
    await run(gatehouse, { action: 'make-admin', userId: id })
    await run(gatehouse, { action: 'make-admin', userId: id })
    expect(await userNamed(id)).toMatchObject({ role: expect.stringMatching(/\badmin\b/) })
    expect(await auditRows()).toMatchObject([{ action: 'set-role', subject_id: id }])
  })

  it('deletes a user with everything, but not the last administrator', async () => {
    const gatehouse = app()
    const { id } = await plain(gatehouse, alice)
    const { id: last } = await administrator(gatehouse, root)
    await run(gatehouse, { action: 'delete', userId: id })
    expect(await userNamed(id)).toBeUndefined()
    await run(gatehouse, { action: 'delete', userId: last })
    expect(await userNamed(last)).toMatchObject({ id: last })
    expect(await failed()).toMatchObject([
      { kind: 'operator', key: last, last_error: expect.stringContaining('THE_LAST_ADMINISTRATOR_MUST_REMAIN') },
    ])
  })

  it('of another version is given up', async () => {
    const gatehouse = app()
    const { id } = await plain(gatehouse, alice)
    await run(gatehouse, { action: 'promote', userId: id } as unknown as OperatorCommand)
    expect(await failed()).toMatchObject([{ last_error: expect.stringContaining('unknown command "promote"') }])
  })
})
