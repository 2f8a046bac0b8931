import { defineFeature } from '../../http/feature.ts'
import { avatarOptions } from './avatar.config.ts'
import { avatarRoutes } from './avatar.routes.ts'
import { deleteUnusedAvatars } from './avatar.store.ts'

export const avatar = defineFeature({
  name: 'avatar',
  routes: avatarRoutes,
  options: avatarOptions,
  publicConfiguration: () => ({ features: { avatar: true } }),
  scheduled: (scope) => deleteUnusedAvatars(scope.db).run(),
})
