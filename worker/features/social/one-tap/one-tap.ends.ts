import { defineEnds } from '../../../http/feature.ts'
import { providersOpen } from '../../../identity/accounts/ways-in.ts'
import { oneTapProvider } from './one-tap.ts'

export const oneTapEnds = defineEnds({
  keeps: { wayIn: (scope, userId) => providersOpen(scope, userId, oneTapProvider(scope) ? ['google'] : []) },
})
