import type { FeatureCases } from '../../testing/cases.ts'
import { alice } from '../../testing/people.ts'
import { answered, userCreation } from '../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    guest: { endpoint: 'POST /sign-in/anonymous', before: async (app) => ({ device: app.device() }) },
  },
  inconsistent: {
    'unreachable guests': 'select id from users where is_anonymous and id not in (select user_id from sessions)',
  },
  events: {
    guest: { act: ({ app }) => answered(app.device().post('/sign-in/anonymous')), ...userCreation },
    'a guest signs up, and is gone': {
      act: async ({ app, begin }) => {
        const device = app.device()
        await device.post('/sign-in/anonymous')
        await begin()
        await answered(device.post('/sign-up/email', alice))
        // The guest is deleted after the response.
        await app.runScheduled()
      },
      events: ['user.created', 'session.created', 'session.ended', 'user.deleted'],
      hooks: [...userCreation.hooks, 'deletingUser', 'userDeleted'],
    },
  },
}
