import { defineEnds } from '../../../http/feature.ts'
import { providersOpen } from '../../../identity/accounts/ways-in.ts'
import { accessProvider } from './access-identity.config.ts'

export const accessIdentityEnds = defineEnds({
  keeps: { wayIn: (scope, userId) => providersOpen(scope, userId, [accessProvider]) },
})
