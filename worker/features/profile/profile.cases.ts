import type { FeatureCases } from '../../testing/cases.ts'
import { alice } from '../../testing/people.ts'
import { known, signedIn, tokenTo, verified } from '../../testing/set-ups.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { answered, signedUp } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'update of the user': { endpoint: 'POST /update-user', before: signedIn, input: () => ({ name: 'Renamed' }) },
    'change of address': {
      endpoint: 'POST /change-email',
      before: signedIn,
      input: (_given, { email }) => ({ newEmail: `new-${email}` }),
      afterwards: ['EMAIL_IS_THE_SAME'],
    },
    'change of a verified address': {
      endpoint: 'POST /change-email',
      before: verified,
      input: (_given, { email }) => ({ newEmail: `new-${email}` }),
    },
    'reverting a change of address': {
      endpoint: 'POST /change-email/revert',
      before: async (app, person) => {
        const { device } = await verified(app, person)
        await device.post('/change-email', { newEmail: `new-${person.email}` })
        await device.get('/verify-email', { query: { token: await tokenTo(app, person.email) } })
        const notice = (await app.notices()).find(({ to }) => to === person.email)!
        return { device, given: new URL(notice.links[0]!).searchParams.get('token') }
      },
      input: (token) => ({ token }),
      afterwards: ['INVALID_TOKEN'],
    },
    'cancelling a change of address': {
      endpoint: 'POST /change-email/cancel',
      before: async (app, person) => {
        const { device } = await verified(app, person)
        await device.post('/change-email', { newEmail: `new-${person.email}` })
        return { device }
      },
    },
    'deletion by password': {
      endpoint: 'POST /delete-user',
      before: signedIn,
      input: (_given, { password }) => ({ password }),
      afterwards: ['UNAUTHORIZED'],
    },
    'the link of a deletion mail': {
      endpoint: 'GET /delete-user/callback',
      config: { user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } } },
      before: async (app, person) => {
        const { device } = await known(app, person)
        await device.post('/delete-user')
        return { device, given: await tokenTo(app, person.email) }
      },
      input: (token) => ({ token }),
      afterwards: ['FAILED_TO_GET_USER_INFO'],
    },
  },
  events: {
    'a name is changed': {
      act: signedUp((device) => answered(device.post('/update-user', { name: 'Al' }))),
      events: ['user.updated'],
      hooks: ['updatingUser', 'userUpdated'],
    },
    'an unverified address is replaced': {
      act: signedUp((device) => answered(device.post('/change-email', { newEmail: 'a@example.com' }))),
      events: ['user.updated'],
      hooks: ['updatingUser', 'userUpdated'],
    },
    'a verified address is changed by link': {
      act: signedUp(async (device, { app, begin }) => {
        await verifyAddresses()
        await device.post('/change-email', { newEmail: 'a@example.com' })
        await begin()
        await answered(device.get(await app.linkTo(alice.email)))
      }),
      events: ['user.updated'],
      hooks: ['userUpdated'],
    },
    'a user deletes their account': {
      act: signedUp((device) => answered(device.post('/delete-user', { password: alice.password }))),
      events: ['session.ended', 'user.deleted'],
      hooks: ['deletingUser', 'userDeleted'],
    },
  },
  securityEvents: {
    'an unverified address is replaced': {
      act: signedUp((device) => answered(device.post('/change-email', { newEmail: 'a@example.com' }))),
      events: ['email-changed'],
    },
    'a verified address is changed, and changed back': {
      act: signedUp(async (device, { app, begin }) => {
        await verifyAddresses()
        await device.post('/change-email', { newEmail: 'a@example.com' })
        const link = await app.linkTo(alice.email)
        await begin()
        await answered(device.get(link))
        const [notice] = await app.notices()
        const token = new URL(notice!.links[0]!).searchParams.get('token')
        await answered(app.device().post('/change-email/revert', { token }))
      }),
      events: ['email-changed', 'email-change-reverted'],
    },
  },
}
