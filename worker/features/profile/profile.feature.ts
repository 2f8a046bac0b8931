import { defineFeature } from '../../http/feature.ts'
import { profileRoutes } from './profile.routes.ts'

export const profile = defineFeature({
  name: 'profile',
  routes: profileRoutes,
})
