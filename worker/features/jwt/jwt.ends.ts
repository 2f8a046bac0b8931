import { defineEnds } from '../../http/feature.ts'
import { signingKeys } from './jwt.table.ts'

export const jwtEnds = defineEnds({
  stored: {
    sealed: [{ table: signingKeys, column: signingKeys.privateKey }],
  },
})
