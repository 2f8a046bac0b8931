import { defineParts } from '../../http/feature.ts'
import { deleteExpiredChanges } from '../../identity/accounts/address-changes.ts'
import { deleteExpiredReverts } from '../../identity/accounts/address-reverts.ts'

export const profileParts = defineParts({
  cron: {
    async scheduled({ db, now }) {
      await deleteExpiredChanges(db, now())
      await deleteExpiredReverts(db, now())
    },
  },
})
