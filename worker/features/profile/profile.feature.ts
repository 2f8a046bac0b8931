import { defineFeature } from '../../http/feature.ts'
import { deleteExpiredChanges } from '../../identity/accounts/address-changes.ts'
import { deleteExpiredReverts } from '../../identity/accounts/address-reverts.ts'
import type { PublicConfiguration } from './profile.contract.ts'
import { profileOperations } from './profile.operations.ts'
import { profileRoutes } from './profile.routes.ts'

export const profile = defineFeature({
  name: 'profile',
  routes: profileRoutes,
  operations: profileOperations,
  publicConfiguration: (): PublicConfiguration => ({ features: { pendingEmail: true } }),
  async scheduled({ db, now }) {
    await deleteExpiredChanges(db, now())
    await deleteExpiredReverts(db, now())
  },
})
