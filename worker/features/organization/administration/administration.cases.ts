import { administrator } from '../../../testing/admins.ts'
import type { EventCase, FeatureCases } from '../../../testing/cases.ts'
import type { Device, TestApp } from '../../../testing/harness.ts'
import { company, join, someone } from '../../../testing/organizations.ts'
import type { Person } from '../../../testing/people.ts'
import { newPerson, slugOf } from '../../../testing/set-ups.ts'
import { answered } from '../../../testing/ways.ts'

interface Given {
  organizationId: string
  memberId: string
}

/** An administrator, and an organization of two users. */
async function besideCompany(app: TestApp, person: Person) {
  const { device } = await administrator(app, person)
  const slug = slugOf(newPerson())
  const at = await company(app, slug)
  const memberId = await join(at, await someone(app, `colleague-of-${slug}`))
  return { device, given: { organizationId: at.id, memberId } }
}

const event = (events: EventCase['events'], hooks: string[], act: (admin: Device, given: Given) => Promise<void>) => ({
  events,
  hooks,
  act: async ({ app, begin }: Parameters<EventCase['act']>[0]) => {
    const { device, given } = await besideCompany(app, newPerson())
    await begin()
    await act(device, given)
  },
})

export const cases: FeatureCases = {
  faults: {
    'an administrator changes the role of a member': {
      endpoint: 'POST /admin/update-organization-member',
      before: besideCompany,
      input: (given: Given) => ({ ...given, role: 'admin' }),
    },
    'an administrator removes a member': {
      endpoint: 'POST /admin/remove-organization-member',
      before: besideCompany,
      afterwards: ['MEMBER_NOT_FOUND'],
    },
    'an administrator transfers an organization': {
      endpoint: 'POST /admin/transfer-organization',
      before: besideCompany,
      input: (given: Given) => ({ ...given, formerRole: 'member' }),
      afterwards: ['MEMBER_IS_ALREADY_AN_OWNER'],
    },
    'an administrator deletes an organization': {
      endpoint: 'POST /admin/delete-organization',
      before: besideCompany,
      input: ({ organizationId }: Given) => ({ organizationId }),
      afterwards: ['ORGANIZATION_NOT_FOUND'],
    },
  },
  events: {
    'an administrator changes the role of a member': event(['member.role-changed'], ['roleChanged'], (admin, given) =>
      answered(admin.post('/admin/update-organization-member', { ...given, role: 'admin' })),
    ),
    'an administrator removes a member': event(['member.removed'], ['memberRemoved'], (admin, given) =>
      answered(admin.post('/admin/remove-organization-member', given)),
    ),
    'an administrator transfers an organization': event(
      ['member.role-changed', 'member.role-changed'],
      ['roleChanged', 'roleChanged'],
      (admin, given) => answered(admin.post('/admin/transfer-organization', { ...given, formerRole: 'admin' })),
    ),
    'an administrator deletes an organization': event(
      ['member.removed', 'member.removed', 'organization.deleted'],
      ['memberRemoved', 'memberRemoved', 'organizationDeleted'],
      (admin, { organizationId }) => answered(admin.post('/admin/delete-organization', { organizationId })),
    ),
  },
}
