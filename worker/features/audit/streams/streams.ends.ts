import { defineEnds } from '../../../http/feature.ts'
import { auditStreams } from './streams.table.ts'

export const auditStreamingEnds = defineEnds({
  stored: {
    sealed: [{ table: auditStreams, column: auditStreams.secret }],
  },
})
