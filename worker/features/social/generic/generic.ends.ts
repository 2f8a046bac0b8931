import { defineEnds } from '../../../http/feature.ts'
import { providersOpen } from '../../../identity/accounts/ways-in.ts'
import { offeredCustomOptions } from '../custom-provider.ts'

export const genericOAuthEnds = defineEnds({
  keeps: {
    wayIn: (scope, userId) =>
      providersOpen(
        scope,
        userId,
        offeredCustomOptions(scope).map(({ providerId }) => providerId),
      ),
  },
})
