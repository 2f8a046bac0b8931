import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { avatarContract } from './avatar.contract.ts'
import { readAvatar, uploadAvatar } from './avatar.ts'

export const avatarEndpoints = defineEndpoints({
  routes: routes(avatarContract, {
    uploadAvatar: async ({ scope, caller, body }) => ({ image: await uploadAvatar(scope, caller, body.webp) }),
    readAvatar: ({ scope, params }) => readAvatar(scope, params.name),
  }),
})
