import type { FeatureCases } from '../../../testing/cases.ts'
import { invite, someone } from '../../../testing/organizations.ts'
import { bob, signUp } from '../../../testing/people.ts'
import { acquaintance, owning, slugOf } from '../../../testing/set-ups.ts'
import { verifyAddresses } from '../../../testing/states.ts'
import { answered, atCompany } from '../../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'an invitation': {
      endpoint: 'POST /organization/invite-member',
      before: async (app, person) => {
        const device = await signUp(app, person)
        await verifyAddresses()
        await device.post('/organization/create', { name: 'Team', slug: slugOf(person) })
        return { device }
      },
      input: (_given, { email }) => ({ email: `friend-of-${email}`, role: 'member' }),
      afterwards: ['USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION'],
    },
    'accepting an invitation': {
      endpoint: 'POST /organization/accept-invitation',
      before: async (app, person) => {
        const { at } = await owning(app, person)
        const { device } = await acquaintance(app, person)
        return { device, given: await invite(at, person.email) }
      },
      input: (invitationId) => ({ invitationId }),
      afterwards: ['INVITATION_NOT_FOUND'],
    },
    'rejecting an invitation': {
      endpoint: 'POST /organization/reject-invitation',
      before: async (app, person) => {
        const { at } = await owning(app, person)
        const { device } = await acquaintance(app, person)
        return { device, given: await invite(at, person.email) }
      },
      input: (invitationId) => ({ invitationId }),
      afterwards: ['INVITATION_NOT_FOUND'],
    },
    'cancelling an invitation': {
      endpoint: 'POST /organization/cancel-invitation',
      before: async (app, person) => {
        const { at, device } = await owning(app, person)
        return { device, given: await invite(at, person.email) }
      },
      input: (invitationId) => ({ invitationId }),
      afterwards: ['INVITATION_NOT_FOUND'],
    },
  },
  events: {
    'a user is invited': {
      act: atCompany((at) => invite(at, bob.email).then(() => {})),
      events: ['invitation.created'],
      hooks: ['invitationCreated'],
    },
    'a user is invited again': {
      act: atCompany(
        (at) => invite(at, bob.email, 'admin', { resend: true }).then(() => {}),
        (at) => invite(at, bob.email),
      ),
      events: ['invitation.created'],
      hooks: ['invitationCreated'],
    },
    'a user accepts': {
      act: atCompany(async (at, { app, begin }) => {
        const carol = await someone(app, 'Carol')
        const invitationId = await invite(at, carol.email)
        await begin()
        await answered(carol.device.post('/organization/accept-invitation', { invitationId }))
      }),
      events: ['invitation.accepted', 'member.added'],
      hooks: ['invitationAccepted', 'memberAdded'],
    },
    'a user declines': {
      act: atCompany(async (at, { app, begin }) => {
        const carol = await someone(app, 'Carol')
        const invitationId = await invite(at, carol.email)
        await begin()
        await answered(carol.device.post('/organization/reject-invitation', { invitationId }))
      }),
      events: ['invitation.rejected'],
      hooks: [],
    },
    'an invitation is taken back': {
      act: atCompany(async (at, { begin }) => {
        const invitationId = await invite(at, bob.email)
        await begin()
        await answered(at.owner.device.post('/organization/cancel-invitation', { invitationId }))
      }),
      events: ['invitation.canceled'],
      hooks: [],
    },
  },
}
