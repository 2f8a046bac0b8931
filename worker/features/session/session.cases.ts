import { sessions } from '../../identity/model/sessions.table.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import { insertion } from '../../testing/insertion.ts'
import { anotherDevice } from '../../testing/organizations.ts'
import { alice, signIn } from '../../testing/people.ts'
import { acquaintance, known, signedIn } from '../../testing/set-ups.ts'
import { answered, signedUp } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'sign-out': { endpoint: 'POST /sign-out', before: signedIn },
    'revoking other sessions': {
      endpoint: 'POST /revoke-other-sessions',
      before: async (app, person) => {
        const { id, device } = await acquaintance(app, person)
        await anotherDevice(app, id)
        return { device }
      },
    },
    'ending one session': {
      endpoint: 'POST /revoke-session',
      before: async (app, person) => {
        const { id, device } = await acquaintance(app, person)
        const other = await anotherDevice(app, id)
        return { device, given: other.cookie('session_token')!.split('.')[0] }
      },
      input: (token) => ({ token }),
      afterwards: ['SESSION_NOT_FOUND'],
    },
    'ending all sessions': { endpoint: 'POST /revoke-sessions', before: known, afterwards: ['UNAUTHORIZED'] },
  },
  growth: {
    sessions: {
      list: '/list-sessions',
      rows: (userId, n) => [
        insertion(sessions, {
          id: `s${n}`,
          userId,
          token: `t${n}`,
          expiresAt: new Date(9_000_000_000_000),
          createdAt: new Date(Date.now() + n),
          updatedAt: new Date(Date.now() + n),
        }),
      ],
    },
  },
  events: {
    'sign-out': {
      act: signedUp((device) => answered(device.post('/sign-out'))),
      events: ['session.ended'],
      hooks: ['signedOut'],
    },
    'a session is revoked': {
      act: signedUp(async (device) =>
        answered(device.post('/revoke-session', { token: device.cookie('session_token')!.split('.')[0] })),
      ),
      events: ['session.ended'],
      hooks: [],
    },
    'all sessions are revoked': {
      act: signedUp((device) => answered(device.post('/revoke-sessions'))),
      events: ['session.ended'],
      hooks: [],
    },
  },
  securityEvents: {
    'other sessions end, where there are others': {
      act: signedUp(async (device, { app, begin }) => {
        await answered(device.post('/revoke-other-sessions'))
        await signIn(app, alice)
        await begin()
        await answered(device.post('/revoke-other-sessions'))
        await answered(device.post('/revoke-other-sessions'))
      }),
      events: ['sessions-ended'],
    },
    'all sessions end': {
      act: signedUp((device) => answered(device.post('/revoke-sessions'))),
      events: ['sessions-ended'],
    },
  },
}
