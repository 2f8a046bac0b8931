import { defineEnds } from '../../http/feature.ts'
import { addressOpens } from '../../identity/accounts/ways-in.ts'

export const emailPasswordEnds = defineEnds({
  keeps: { wayIn: addressOpens },
})
