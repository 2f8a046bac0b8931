import type { FeatureCases, World } from '../../../testing/cases.ts'
import { AccessTeam } from '../../../testing/outside/access-team.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { verifyAddresses } from '../../../testing/states.ts'
import { answered, userCreation } from '../../../testing/ways.ts'

const config = { accessIdentity: AccessTeam.config }

async function enter({ app }: Pick<World, 'app'>): Promise<void> {
  const headers = await new AccessTeam().install().headers(alice.email)
  await answered(app.device().post('/sign-in/access', {}, { headers }))
}

export const cases: FeatureCases = {
  config,
  faults: {
    'sign-up through Cloudflare Access': {
      endpoint: 'POST /sign-in/access',
      before: async (app, { email }) => {
        const device = app.device()
        device.headers = await new AccessTeam().install().headers(email)
        return { device }
      },
      input: () => ({}),
    },
    'an unverified account passes to the user of Cloudflare Access': {
      endpoint: 'POST /sign-in/access',
      before: async (app, person) => {
        await signUp(app, person)
        const device = app.device()
        device.headers = await new AccessTeam().install().headers(person.email)
        return { device }
      },
      input: () => ({}),
    },
  },
  events: {
    'sign-up through Cloudflare Access': { config, act: enter, ...userCreation },
  },
  securityEvents: {
    'Cloudflare Access is linked by a sign-in with the same address': {
      config,
      act: async (world) => {
        await signUp(world.app, alice)
        await verifyAddresses()
        await world.begin()
        await enter(world)
      },
      events: ['provider-linked', 'sign-in'],
      notices: ['provider-linked'],
    },
  },
}
