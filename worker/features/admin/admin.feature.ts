import { defineFeature } from '../../http/feature.ts'
import { adminOptions } from './admin.config.ts'
import { tellOfRoles } from './admin.hooks.ts'
import { adminRoutes } from './admin.routes.ts'
import { endUnprovenPassword } from './first-admins.ts'

export const admin = defineFeature({
  name: 'admin',
  routes: adminRoutes,
  options: adminOptions,
  publicConfiguration: tellOfRoles,
  endingAccess: endUnprovenPassword,
  shows: { user: ['role', 'banned', 'banReason', 'banExpires'], session: ['impersonatedBy'] },
})
