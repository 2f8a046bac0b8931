import type { FeatureCases } from '../../../testing/cases.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { reddit } from '../../../testing/outside/social/reddit.ts'
import { walk } from '../../../testing/outside/walk.ts'
import { codeTo } from '../../../testing/set-ups.ts'

/** A provider that returns no email address. */
const atReddit = new OAuthProvider(reddit)

export const cases: FeatureCases = {
  config: { account: { askForEmail: true } },
  faults: {
    'an address after a provider that returns none': {
      endpoint: 'POST /social/verify-code',
      config: { socialProviders: { reddit: atReddit.options } },
      before: async (app, { email }) => {
        const device = app.device()
        atReddit.install().person = { id: email }
        await walk(device, atReddit)
        await device.post('/social/send-code', { email })
        return { device, given: await codeTo(app, email) }
      },
      input: (code, { email }) => ({ email, code }),
      afterwards: ['NO_SIGN_IN_IS_WAITING'],
    },
  },
}
