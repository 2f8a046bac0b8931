import { defineEnds } from '../../http/feature.ts'
import { mailboxOpens } from '../../identity/accounts/ways-in.ts'

export const emailOtpEnds = defineEnds({
  keepsWayIn: mailboxOpens,
})
