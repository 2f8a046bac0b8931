import { defineFeature } from '../../http/feature.ts'
import { webhookOptions, webhooksAreOn } from './webhooks.config.ts'

export const webhooks = defineFeature({
  name: 'webhooks',
  options: webhookOptions,
  on: webhooksAreOn,
  places: ['recording'],
  gives: ['jobs'],
  parts: async () => (await import('./webhooks.parts.ts')).webhooksParts,
})
