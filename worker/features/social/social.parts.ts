import { defineParts } from '../../http/feature.ts'
import { publicProviders } from './public-providers.ts'
import { canStepUpAt } from './step-up/step-up.ts'
import { tokenJobs } from './tokens/store-refreshed.ts'

export const socialParts = defineParts({
  publicConfiguration: publicProviders,
  wayIn: { stepUpProvider: canStepUpAt },
  jobs: tokenJobs,
})
