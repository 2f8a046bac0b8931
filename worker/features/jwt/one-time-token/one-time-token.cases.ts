import type { FeatureCases } from '../../../testing/cases.ts'
import { signUp } from '../../../testing/people.ts'
import { known } from '../../../testing/set-ups.ts'

export const cases: FeatureCases = {
  faults: {
    'a session is handed over': {
      endpoint: 'POST /one-time-token/verify',
      before: async (app, person) => {
        const { body } = await (await signUp(app, person)).get('/one-time-token/generate')
        return { device: app.device(), given: body.token }
      },
      input: (token) => ({ token }),
    },
    'a token for another place': { endpoint: 'GET /one-time-token/generate', before: known },
  },
}
