import { defineEnds } from '../../http/feature.ts'
import { directoryTokens } from './model/tokens.table.ts'

export const directoryEnds = defineEnds({
  stored: {
    restored: [{ table: directoryTokens, kind: 'keys' }],
  },
})
