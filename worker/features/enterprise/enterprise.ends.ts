import { defineEnds } from '../../http/feature.ts'
import { connections } from './model/connections.table.ts'
import { setupLinks } from './model/setup-links.table.ts'
import { forbids } from './policy/forbids.store.ts'
import { connectionOpens } from './sign-in/sign-in.store.ts'

export const enterpriseEnds = defineEnds({
  forbids,
  keeps: { wayIn: connectionOpens },
  stored: {
    sealed: [
      { table: connections, column: connections.secret },
      { table: connections, column: connections.draftSecret },
      { table: connections, column: connections.ownKeys },
    ],
    restored: [{ table: setupLinks }],
  },
})
