import { defineFeature } from '../../http/feature.ts'
import { hookOptions, hooksAreOn } from './hooks.config.ts'

export const hooks = defineFeature({
  name: 'hooks',
  options: hookOptions,
  on: hooksAreOn,
  places: [
    'creatingUser',
    'updatingUser',
    'deletingUser',
    'signingIn',
    'assessing',
    'sessionIssued',
    'signedOut',
    'reactions',
  ],
  gives: ['jobs'],
  parts: async () => (await import('./hooks.parts.ts')).hooksParts,
})
