import { defineFeature } from '../../http/feature.ts'
import { hookOptions, hooksAreOn } from './hooks.config.ts'
import { hookJobs, hookSteps } from './hooks.steps.ts'

export const hooks = defineFeature({
  name: 'hooks',
  steps: hookSteps,
  options: hookOptions,
  on: hooksAreOn,
  jobs: hookJobs,
})
