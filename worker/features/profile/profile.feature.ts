import { defineFeature } from '../../http/feature.ts'
import { deleteExpiredChanges } from '../../identity/users/address-changes.ts'
import { profileRoutes } from './profile.routes.ts'

export const profile = defineFeature({
  name: 'profile',
  routes: profileRoutes,
  publicConfiguration: () => ({ features: { pendingEmail: true } }),
  scheduled: ({ db, now }) => deleteExpiredChanges(db, now()),
})
