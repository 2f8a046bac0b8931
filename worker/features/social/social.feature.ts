import { defineFeature } from '../../http/feature.ts'
import { socialProviderOptions } from './social.config.ts'
import { publicProviders } from './social.hooks.ts'
import { socialRoutes } from './social.routes.ts'
import { tokenTasks } from './tokens.ts'

export const social = defineFeature({
  name: 'social',
  routes: socialRoutes,
  options: socialProviderOptions,
  publicConfiguration: publicProviders,
  tasks: tokenTasks,
})
