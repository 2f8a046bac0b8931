import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { avatarOptions } from './avatar.config.ts'
import { avatarContract, type OptionalPublicConfiguration } from './avatar.contract.ts'
import { deleteUnusedAvatars } from './avatar.store.ts'
import { readAvatar, uploadAvatar } from './avatar.ts'

export const avatar = defineFeature({
  name: 'avatar',
  routes: routes(avatarContract, {
    uploadAvatar: async ({ scope, caller, body }) => ({ image: await uploadAvatar(scope, caller, body.webp) }),
    readAvatar: ({ scope, params }) => readAvatar(scope, params.name),
  }),
  options: avatarOptions,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { avatar: true } }),
  scheduled: (scope) => deleteUnusedAvatars(scope.db).run(),
})
