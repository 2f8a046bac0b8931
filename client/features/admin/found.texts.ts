import { defineTexts } from '../../lib/texts/texts.ts'

export const foundTexts = defineTexts('adminFound', {
  kinds: { client: 'OAuth client', agent: 'Agent', service: 'Service' },
  noOwner: 'None',
  authentication: 'Authentication',
  start: 'Begins with',
  created: 'Created',
  never: 'Never',
  history: 'Show in the audit log',
  gone: 'Nothing has this ID. It may have been deleted.',
})
