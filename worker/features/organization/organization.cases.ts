import type { Scope } from '../../identity/scope.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import { insertion } from '../../testing/insertion.ts'
import { someone } from '../../testing/organizations.ts'
import { picture } from '../../testing/picture.ts'
import { owning, signedIn, slugOf, withColleague } from '../../testing/set-ups.ts'
import { answered, atCompany, atCompanyOfTwo, serverCall } from '../../testing/ways.ts'
import { createOrganizationFor } from './create-organization.ts'
import { members } from './model/members.table.ts'
import { organizations } from './model/organizations.table.ts'

export const cases: FeatureCases = {
  faults: {
    'creating an organization': {
      endpoint: 'POST /organization/create',
      before: signedIn,
      input: (_given, person) => ({ name: 'Team', slug: slugOf(person) }),
      afterwards: ['ORGANIZATION_ALREADY_EXISTS'],
    },
    'choosing the active organization': {
      endpoint: 'POST /organization/set-active',
      before: async (app, person) => {
        const made = await withColleague(app, person)
        await made.device.post('/organization/set-active', { organizationId: null })
        return made
      },
      input: (_given, person) => ({ organizationSlug: slugOf(person) }),
    },
    'deleting an organization': {
      endpoint: 'POST /organization/delete',
      before: owning,
      input: (organizationId) => ({ organizationId }),
      afterwards: ['USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'],
    },
    'a logo': {
      endpoint: 'POST /organization/logo',
      before: withColleague,
      input: () => ({ webp: picture(64) }),
    },
    'changing an organization': {
      endpoint: 'POST /organization/update',
      before: withColleague,
      input: () => ({ data: { name: 'Renamed' } }),
    },
  },
  inconsistent: {
    'organizations without a member':
      'select id from organizations where id not in (select organization_id from members)',
  },
  growth: {
    organizations: {
      list: '/organization/list',
      rows: (userId, n) => [
        insertion(organizations, {
          id: `o${n}`,
          name: 'O',
          slug: `o${n}`,
          metadata: { long: true },
          createdAt: new Date(n),
        }),
        insertion(members, {
          id: `m${n}`,
          organizationId: `o${n}`,
          userId,
          role: 'owner',
          createdAt: new Date(n),
        }),
      ],
      cap: {
        max: 100,
        path: '/organization/create',
        body: (n) => ({ name: 'A', slug: `a${n}` }),
        success: 200,
        refusal: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS',
      },
    },
  },
  events: {
    'an organization is created': {
      act: async ({ app, begin }) => {
        const { device } = await someone(app, 'Carol')
        await begin()
        await answered(device.post('/organization/create', { name: 'Acme', slug: 'acme' }))
      },
      events: ['organization.created', 'member.added'],
      hooks: ['organizationCreated', 'memberAdded'],
    },
    'a server creates an organization': {
      act: async ({ app, begin }) => {
        const { id } = await someone(app, 'Carol')
        await begin()
        const create = (scope: Scope) => createOrganizationFor(scope, id, { name: 'Acme', slug: 'acme' })
        await serverCall(app, create, 'server.create-organization')
      },
      events: ['organization.created', 'member.added'],
      hooks: ['organizationCreated', 'memberAdded'],
    },
    'an organization is changed': {
      act: atCompany((at) =>
        answered(at.owner.device.post('/organization/update', { organizationId: at.id, data: { name: 'A' } })),
      ),
      events: ['organization.updated'],
      hooks: ['organizationUpdated'],
    },
    'a logo is uploaded': {
      act: atCompany((at) =>
        answered(at.owner.device.post('/organization/logo', { organizationId: at.id, webp: picture(16) })),
      ),
      events: ['organization.updated'],
      hooks: ['organizationUpdated'],
    },
    'an organization is deleted': {
      act: atCompanyOfTwo((at) => answered(at.owner.device.post('/organization/delete', { organizationId: at.id }))),
      events: ['member.removed', 'member.removed', 'organization.deleted'],
      hooks: ['memberRemoved', 'memberRemoved', 'organizationDeleted'],
    },
    'the last member deletes their account': {
      act: atCompany((at) => answered(at.owner.device.post('/delete-user'))),
      events: ['member.removed', 'organization.deleted', 'session.ended', 'user.deleted'],
      hooks: ['deletingUser', 'memberRemoved', 'organizationDeleted', 'userDeleted'],
    },
  },
}
