import { describe, expect, it } from 'vitest'
import { env, TestApp } from '../../../testing/harness.ts'
import { colleague, company, count } from '../../../testing/organizations.ts'

const roles = {
  clerk: { member: ['update', 'delete'], invitation: ['create'] },
  superuser: { organization: ['update', 'delete'], member: ['create', 'update', 'delete'], invitation: ['create'] },
  biller: { invoice: ['create'] },
  half: { member: ['update'] },
  otherHalf: { member: ['delete'], invitation: ['create'] },
}

async function cast() {
  const app = new TestApp({ rateLimit: { enabled: false }, organization: { roles } })
  const acme = await company(app, 'acme')
  const people = {
    owner: { ...acme.owner, member: acme.ownerMember },
    admin: await colleague(app, acme, 'Ada', 'admin'),
    clerk: await colleague(app, acme, 'Cleo', 'clerk'),
    both: await colleague(app, acme, 'Bo', 'half,otherHalf'),
    superuser: await colleague(app, acme, 'Sue', 'superuser'),
    biller: await colleague(app, acme, 'Bill', 'biller'),
    member: await colleague(app, acme, 'Max'),
  }
  return { app, acme, people }
}

type Who = keyof Awaited<ReturnType<typeof cast>>['people']

describe('whoever gives or takes a role holds all that it allows', () => {
  it.each<[Who, Who, string, number]>([
    ['clerk', 'clerk', 'superuser', 403],
    ['clerk', 'clerk', 'admin', 403],
    ['clerk', 'member', 'superuser', 403],
    ['clerk', 'member', 'clerk', 200],
    ['clerk', 'member', 'member,biller', 403],
    ['clerk', 'admin', 'member', 403],
    ['clerk', 'biller', 'member', 403],
    ['clerk', 'both', 'member', 200],
    ['both', 'member', 'clerk', 200],
    ['admin', 'member', 'biller', 403],
    ['admin', 'superuser', 'member', 403],
    ['admin', 'clerk', 'admin', 200],
    ['admin', 'member', 'owner', 403],
    ['superuser', 'admin', 'member', 403],
    ['superuser', 'superuser', 'owner', 403],
    ['superuser', 'owner', 'member', 403],
    ['owner', 'member', 'biller', 200],
    ['owner', 'superuser', 'owner', 200],
    ['biller', 'member', 'biller', 403],
  ])('update-member-role: %s makes %s %s: %i', async (by, about, role, status) => {
    const { people } = await cast()
    const before = await count('members', `id = '${people[about].member}' and role = '${role}'`)
    const body = { memberId: people[about].member, role }
    const answer = await people[by].device.post('/organization/update-member-role', body)
    expect([answer.status, answer.body.code]).toEqual([
      status,
      status === 200 ? undefined : 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
    ])
    const after = await count('members', `id = '${people[about].member}' and role = '${role}'`)
    expect(after).toBe(status === 200 ? 1 : before)
  })

  it.each<[Who, Who, number]>([
    ['clerk', 'superuser', 403],
    ['clerk', 'admin', 403],
    ['clerk', 'biller', 403],
    ['clerk', 'member', 200],
    ['admin', 'superuser', 403],
    ['admin', 'clerk', 200],
    ['superuser', 'owner', 403],
    ['owner', 'biller', 200],
  ])('remove-member: %s removes %s: %i', async (by, about, status) => {
    const { people } = await cast()
    const body = { memberIdOrEmail: people[about].member }
    const answer = await people[by].device.post('/organization/remove-member', body)
    expect([answer.status, answer.body.code]).toEqual([
      status,
      status === 200 ? undefined : 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER',
    ])
    expect(await count('members')).toBe(status === 200 ? 6 : 7)
  })

  it.each<[Who, string, number]>([
    ['clerk', 'superuser', 403],
    ['clerk', 'admin', 403],
    ['clerk', 'member,owner', 403],
    ['clerk', 'biller', 403],
    ['clerk', 'half,member', 200],
    ['superuser', 'owner', 403],
    ['admin', 'admin', 200],
    ['owner', 'owner,biller', 200],
  ])('invite-member: %s invites as %s: %i', async (by, role, status) => {
    const { people } = await cast()
    const body = { email: 'new@example.com', role }
    const answer = await people[by].device.post('/organization/invite-member', body)
    expect([answer.status, answer.body.code]).toEqual([
      status,
      status === 200 ? undefined : 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
    ])
    expect(await count('invitations', "status = 'pending'")).toBe(status === 200 ? 1 : 0)
  })

  it('20 changes at once by somebody who is demoted meanwhile: none after that', async () => {
    const { people } = await cast()
    const { owner, admin, member } = people
    const answers = await Promise.all([
      owner.device.post('/organization/update-member-role', { memberId: admin.member, role: 'member' }),
      ...Array.from({ length: 20 }, (_, n) =>
        admin.device.post('/organization/update-member-role', {
          memberId: member.member,
          role: n % 2 ? 'admin' : 'member',
        }),
      ),
    ])
    expect(answers[0]!.status).toBe(200)
    const last = await admin.device.post('/organization/update-member-role', {
      memberId: member.member,
      role: 'member,admin',
    })
    expect(last.status).toBe(403)
    expect(await env.DB.prepare('select role from members where id = ?').bind(admin.member).first('role')).toBe(
      'member',
    )
  })
})
