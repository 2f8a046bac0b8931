import type { FeatureCases } from '../../testing/cases.ts'
import { administering } from '../../testing/set-ups.ts'
import { answered, asAdmin } from '../../testing/ways.ts'

const newKey = { name: 'billing', permissions: ['users:read'] }

export const cases: FeatureCases = {
  faults: {
    'an administrator creates a server key': {
      endpoint: 'POST /admin/create-server-key',
      before: administering,
      input: () => newKey,
    },
    'an administrator revokes a server key': {
      endpoint: 'POST /admin/revoke-server-key',
      before: async (app, person) => {
        const { device } = await administering(app, person)
        const { body } = await device.post('/admin/create-server-key', newKey)
        return { device, given: body.id }
      },
      input: (id) => ({ id }),
      afterwards: ['SERVER_KEY_NOT_FOUND'],
    },
  },
  securityEvents: {
    'server keys are created and revoked': {
      act: asAdmin(async (admin) => {
        const { body } = await admin.post('/admin/create-server-key', newKey)
        await answered(admin.post('/admin/revoke-server-key', { id: body.id }))
      }),
      events: ['server-key-created', 'server-key-revoked'],
    },
  },
}
