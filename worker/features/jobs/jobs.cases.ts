import type { FeatureCases } from '../../testing/cases.ts'
import { env } from '../../testing/harness.ts'
import { administering } from '../../testing/set-ups.ts'

export const cases: FeatureCases = {
  faults: {
    'an administrator redelivers a mail': {
      endpoint: 'POST /admin/redeliver',
      before: async (app, person) => {
        const { device } = await administering(app, person)
        const given = crypto.randomUUID()
        const mail = { id: given, kind: 'test', to: person.email, subject: 'S', text: 'T', html: 'H', isAdmitted: true }
        await env.DB.prepare(
          `insert into jobs (id, kind, payload, attempts, next_at, state, created_at) values (?1, 'mail', ?2, 9, ?3, 'failed', ?4)`,
        )
          .bind(given, JSON.stringify({ ...mail, madeAt: Date.now() }), Date.now() + 1e9, Date.now())
          .run()
        return { device, given }
      },
      input: (id) => ({ id }),
      afterwards: ['JOB_NOT_FOUND'],
    },
  },
}
