import type { FeatureCases } from '../../testing/cases.ts'

export const cases: FeatureCases = {
  config: {
    sharedSignals: {
      receivers: [
        {
          name: 'acme',
          url: 'https://signals.acme.example.com/events',
          audience: 'https://acme.example.com',
          events: ['account-disabled'],
        },
      ],
    },
  },
}
