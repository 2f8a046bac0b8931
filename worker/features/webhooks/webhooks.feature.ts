import { defineFeature } from '../../http/feature.ts'
import { deliverWaiting } from './undelivered.ts'
import { webhookOptions, webhooksAreOn } from './webhooks.config.ts'

export const webhooks = defineFeature({
  name: 'webhooks',
  options: webhookOptions,
  on: webhooksAreOn,
  scheduled: deliverWaiting,
})
