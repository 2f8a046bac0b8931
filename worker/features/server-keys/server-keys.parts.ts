import { defineParts } from '../../http/feature.ts'
import { days, ms } from '../../kit/time.ts'
import { answerOnce } from './idempotency.ts'
import { deleteExpiredServerKeys, deleteOldServerRequests } from './server-keys.store.ts'
import { requireServerKey } from './use-server-key.ts'

/** How long an expired key is listed. */
const shownAfterExpiry = ms(days(30))

export const serverKeysParts = defineParts({
  serverKeys: { require: requireServerKey, once: answerOnce },
  cron: {
    async scheduled({ db, now }) {
      await deleteOldServerRequests(db, now()).run()
      await deleteExpiredServerKeys(db, new Date(now().getTime() - shownAfterExpiry)).run()
    },
  },
})
