import { defineParts } from '../../http/feature.ts'
import { hookJobs, hookSteps } from './hooks.steps.ts'

export const hooksParts = defineParts({
  steps: hookSteps,
  jobs: hookJobs,
})
