import { defineParts } from '../../http/feature.ts'
import { assessSignIn } from './risk.steps.ts'

export const riskParts = defineParts({ steps: { signingIn: assessSignIn } })
