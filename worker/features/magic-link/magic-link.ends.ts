import { defineEnds } from '../../http/feature.ts'
import { mailboxOpens } from '../../identity/accounts/ways-in.ts'

export const magicLinkEnds = defineEnds({
  keeps: { wayIn: mailboxOpens },
})
