import { defineFeature } from '../../http/feature.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { anonymousTasks, publicAnonymous } from './anonymous.hooks.ts'
import { anonymousRoutes } from './anonymous.routes.ts'

export const anonymous = defineFeature({
  name: 'anonymous',
  routes: anonymousRoutes,
  options: anonymousOptions,
  publicConfiguration: publicAnonymous,
  tasks: anonymousTasks,
  shows: { user: ['isAnonymous'] },
})
