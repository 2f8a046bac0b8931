import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { colleague, company } from '../../../testing/organizations.ts'
import { count, rowOf } from '../../../testing/rows.ts'

const roles = {
  clerk: { member: ['update', 'delete'], invitation: ['create'] },
  superuser: { organization: ['update', 'delete'], member: ['create', 'update', 'delete'], invitation: ['create'] },
  biller: { invoice: ['create'] },
  half: { member: ['update'] },
  otherHalf: { member: ['delete'], invitation: ['create'] },
}

const rolesOf = {
  admin: 'admin',
  clerk: 'clerk',
  both: 'half,otherHalf',
  superuser: 'superuser',
  biller: 'biller',
  member: 'member',
}

type Who = keyof typeof rolesOf | 'owner'

/** An organization with its owner and these members. */
async function cast(...who: Who[]) {
  const app = new TestApp({ rateLimit: { enabled: false }, organization: { roles } })
  const acme = await company(app, 'acme')
  const people = { owner: { ...acme.owner, member: acme.ownerMember } } as unknown as Record<
    Who,
    { device: Device; member: string }
  >
  for (const one of who) if (one !== 'owner') people[one] ??= await colleague(app, acme, one, rolesOf[one])
  return { people }
}

describe('a member who grants or removes a role has all its permissions', () => {
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
    const { people } = await cast(by, about)
    const before = await count('members', { id: people[about].member, role })
    const body = { memberId: people[about].member, role }
    const answer = await people[by].device.post('/organization/update-member-role', body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status,
      code: status === 200 ? undefined : 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
    })
    const after = await count('members', { id: people[about].member, role })
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
    const { people } = await cast(by, about)
    const body = { memberIdOrEmail: people[about].member }
    const answer = await people[by].device.post('/organization/remove-member', body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status,
      code: status === 200 ? undefined : 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER',
    })
    expect(await count('members', { id: people[about].member })).toBe(status === 200 ? 0 : 1)
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
    const { people } = await cast(by)
    const body = { email: 'new@example.com', role }
    const answer = await people[by].device.post('/organization/invite-member', body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status,
      code: status === 200 ? undefined : 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
    })
    expect(await count('invitations', { status: 'pending' })).toBe(status === 200 ? 1 : 0)
  })

  it('20 parallel changes by a member who is demoted in the meantime: none after that', async () => {
    const { owner, admin, member } = (await cast('admin', 'member')).people
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
    expect((await rowOf('members', { id: admin.member }))!.role).toBe('member')
  })
})
