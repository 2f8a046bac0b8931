import { defineParts } from '../../../http/feature.ts'
import { emailFactor } from './email-code.ts'

export const stepUpParts = defineParts({
  wayIn: { stepUp: [emailFactor] },
})
