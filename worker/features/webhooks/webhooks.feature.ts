import { defineFeature } from '../../http/feature.ts'
import { webhookJobs, writeMessages } from './deliver.ts'
import { webhookOptions, webhooksAreOn } from './webhooks.config.ts'

export const webhooks = defineFeature({
  name: 'webhooks',
  steps: {
    recording: writeMessages,
  },
  options: webhookOptions,
  on: webhooksAreOn,
  jobs: webhookJobs,
})
