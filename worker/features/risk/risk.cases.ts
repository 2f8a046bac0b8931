import type { FeatureCases } from '../../testing/cases.ts'
import { alice, signUp } from '../../testing/people.ts'
import { insertRows } from '../../testing/rows.ts'
import { administering } from '../../testing/set-ups.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'
import { answered } from '../../testing/ways.ts'

let blocks = 1

export const cases: FeatureCases = {
  events: {
    'a right password from an unknown place, which needs a code': {
      // A new device alone is one here.
      config: { risk: { level: 'challenge', challengeFrom: 2 } },
      act: async ({ app, begin }) => {
        await signUp(app, alice)
        await verifyAddresses()
        await begin()
        await answered(app.device().post('/sign-in/email', alice))
      },
      events: [],
      hooks: ['assessing'],
    },
    'refused passwords of a network, beyond which it counts as an attack': {
      config: { risk: { networkFailures: { max: 1, window: 600 } } },
      act: async ({ app }) => {
        for (const at of [1, 2, 3])
          await app.device().post('/sign-in/email', { email: `u${at}@example.com`, password: 'wrong-password' })
      },
      events: ['attack.began'],
      hooks: [],
    },
  },
  faults: {
    'an administrator raises the level': {
      endpoint: 'POST /admin/raise-risk-level',
      before: administering,
      input: () => ({}),
    },
    'an administrator blocks a network': {
      endpoint: 'POST /admin/block-network',
      before: administering,
      input: () => ({ network: '192.0.2.0/24' }),
    },
    'an administrator unblocks a network': {
      endpoint: 'POST /admin/unblock-network',
      before: async (app, person) => {
        const { device } = await administering(app, person)
        const given = crypto.randomUUID()
        const [now, end] = [Date.now(), Date.now() + 1e9]
        const network = `192.0.2.${blocks++}`
        await insertRows('defences', {
          ...{ id: given, kind: 'block', network, createdBy: 'x', createdAt: new Date(now), expiresAt: new Date(end) },
        })
        return { device, given }
      },
      input: (id) => ({ id }),
      afterwards: ['BLOCK_NOT_FOUND'],
    },
    'an administrator ends the sessions of a network': {
      endpoint: 'POST /admin/end-network-sessions',
      before: administering,
      input: () => ({ network: '192.0.2.0/24' }),
    },
    'an administrator exports attacks': {
      endpoint: 'POST /admin/export-attacks',
      before: administering,
      input: () => ({}),
    },
  },
  securityEvents: {
    'a right password from an unknown place, and no code': {
      config: { risk: { level: 'challenge', challengeFrom: 2 } },
      act: async ({ app, begin }) => {
        stopClock()
        await signUp(app, alice)
        await verifyAddresses()
        await begin()
        await answered(app.device().post('/sign-in/email', alice))
        passTime(600)
        await app.runScheduled()
      },
      events: ['sign-in-challenged'],
    },
    'a right password from an unknown place, then the code of the mailbox': {
      config: { risk: { level: 'challenge', challengeFrom: 2 } },
      act: async ({ app, begin }) => {
        await signUp(app, alice)
        await verifyAddresses()
        await begin()
        const device = app.device()
        await answered(device.post('/sign-in/email', alice))
        await answered(device.post('/two-factor/send-otp'))
        const [mail] = await app.mailbox()
        await answered(device.post('/two-factor/verify-otp', { code: mail!.codes[0] }))
      },
      events: ['sign-in-challenged', 'sign-in'],
      notices: [],
    },
  },
}
