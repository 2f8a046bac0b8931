import { defineEnds } from '../../http/feature.ts'
import { endNumber } from './phone-number.steps.ts'
import { numberOpens } from './phone-number.store.ts'

export const phoneNumberEnds = defineEnds({
  keeps: { wayIn: numberOpens },
  revokes: { access: endNumber },
})
