import type { Scope } from '../../../identity/scope.ts'
import type { FeatureCases } from '../../../testing/cases.ts'
import { join, someone } from '../../../testing/organizations.ts'
import { bob } from '../../../testing/people.ts'
import { acquaintance, owning, withColleague } from '../../../testing/set-ups.ts'
import { answered, atCompany, atCompanyOfTwo, serverCall } from '../../../testing/ways.ts'
import { addMember } from './members.ts'

export const cases: FeatureCases = {
  faults: {
    'changing a role': {
      endpoint: 'POST /organization/update-member-role',
      before: withColleague,
      input: (memberId) => ({ memberId, role: 'admin' }),
    },
    'removing a member': {
      endpoint: 'POST /organization/remove-member',
      before: withColleague,
      input: (memberIdOrEmail) => ({ memberIdOrEmail }),
      afterwards: ['MEMBER_NOT_FOUND'],
    },
    'leaving an organization': {
      endpoint: 'POST /organization/leave',
      before: async (app, person) => {
        const { at } = await owning(app, person)
        const member = await acquaintance(app, person)
        await join(at, member)
        return { device: member.device, given: at.id }
      },
      input: (organizationId) => ({ organizationId }),
      afterwards: ['MEMBER_NOT_FOUND'],
    },
  },
  events: {
    'a server adds a member': {
      act: atCompany(async (at, { app, begin }) => {
        const { id: userId } = await someone(app, 'Carol')
        await begin()
        const add = (scope: Scope) => addMember(scope, { userId, role: 'member', organizationId: at.id })
        await serverCall(app, add, 'server.add-member')
      }),
      events: ['member.added'],
      hooks: ['memberAdded'],
    },
    'a member gets another role': {
      act: atCompanyOfTwo((at, { member }) =>
        answered(
          at.owner.device.post('/organization/update-member-role', {
            organizationId: at.id,
            memberId: member,
            role: 'admin',
          }),
        ),
      ),
      events: ['member.role-changed'],
      hooks: ['roleChanged'],
    },
    'a member is removed': {
      act: atCompanyOfTwo((at, { member }) =>
        answered(
          at.owner.device.post('/organization/remove-member', { organizationId: at.id, memberIdOrEmail: member }),
        ),
      ),
      events: ['member.removed'],
      hooks: ['memberRemoved'],
    },
    'a member who has invited is removed': {
      act: atCompanyOfTwo(async (at, { member, device }, { begin }) => {
        const promotion = { organizationId: at.id, memberId: member, role: 'admin' }
        await at.owner.device.post('/organization/update-member-role', promotion)
        await answered(
          device.post('/organization/invite-member', { organizationId: at.id, email: bob.email, role: 'member' }),
        )
        await begin()
        await answered(
          at.owner.device.post('/organization/remove-member', { organizationId: at.id, memberIdOrEmail: member }),
        )
      }),
      events: ['member.removed', 'invitation.canceled'],
      hooks: ['memberRemoved'],
    },
    'a member leaves': {
      act: atCompanyOfTwo((at, { device }) => answered(device.post('/organization/leave', { organizationId: at.id }))),
      events: ['member.removed'],
      hooks: ['memberRemoved'],
    },
    'a member deletes their account': {
      act: atCompanyOfTwo((_, { device }) => answered(device.post('/delete-user'))),
      events: ['member.removed', 'session.ended', 'user.deleted'],
      hooks: ['deletingUser', 'memberRemoved', 'userDeleted'],
    },
  },
}
