import { defineEnds } from '../../http/feature.ts'
import { passwordOpens } from '../../identity/accounts/ways-in.ts'

export const usernameEnds = defineEnds({
  keeps: { wayIn: (scope, userId) => passwordOpens(scope, userId, 'username') },
})
