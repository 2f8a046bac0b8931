import { apiKeys } from '../../features/api-key/api-key.table.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import type { TestApp } from '../../testing/harness.ts'
import { insertion } from '../../testing/insertion.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { signedIn } from '../../testing/set-ups.ts'
import { answered, signedUp } from '../../testing/ways.ts'

async function keyOf(app: TestApp, person: Person) {
  const device = await signUp(app, person)
  return { device, given: (await device.post('/api-key/create', { name: 'key' })).body.id as string }
}

export const cases: FeatureCases = {
  faults: {
    'an API key is made': { endpoint: 'POST /api-key/create', before: signedIn, input: () => ({ name: 'key' }) },
    'an API key is changed': {
      endpoint: 'POST /api-key/update',
      before: keyOf,
      input: (keyId) => ({ keyId, enabled: false }),
    },
    'an API key is deleted': {
      endpoint: 'POST /api-key/delete',
      before: keyOf,
      input: (keyId) => ({ keyId }),
      afterwards: ['API_KEY_NOT_FOUND'],
    },
  },
  growth: {
    keys: {
      list: '/api-key/list',
      rows: (userId, n) => [
        insertion(apiKeys, {
          id: `k${n}`,
          userId,
          keyHash: `h${n}`,
          enabled: true,
          rateLimitEnabled: true,
          requestCount: 0,
          metadata: { long: true },
          createdAt: new Date(n),
          updatedAt: new Date(n),
        }),
      ],
      cap: {
        max: 100,
        path: '/api-key/create',
        body: () => ({}),
        success: 200,
        refusal: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS',
      },
    },
  },
  securityEvents: {
    'an API key is created and deleted': {
      act: signedUp(async (device) => {
        const { body } = await device.post('/api-key/create', { name: 'deploy' })
        await answered(device.post('/api-key/delete', { keyId: body.id }))
      }),
      events: ['api-key-created', 'api-key-deleted'],
    },
  },
}
