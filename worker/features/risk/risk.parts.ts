import { defineParts } from '../../http/feature.ts'
import { countRefused } from './attacks.ts'
import { assessSignIn } from './risk.steps.ts'

export const riskParts = defineParts({ steps: { signingIn: assessSignIn, passwordRefused: countRefused } })
