import { defineParts } from '../../http/feature.ts'
import { countRefused } from './attacks.ts'
import { assessSignIn } from './risk.steps.ts'
import { deleteOldThreats } from './threats/delete-old-threats.ts'
import { endSessionsJobs } from './threats/end-network-sessions.ts'
import { publishJobs } from './threats/publish-defences.ts'

export const riskParts = defineParts({
  steps: { signingIn: assessSignIn, passwordRefused: countRefused },
  jobs: { ...publishJobs, ...endSessionsJobs },
  cron: { scheduled: deleteOldThreats },
})
