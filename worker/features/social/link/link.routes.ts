import type { Handlers } from '../../../http/routes.ts'
import { configuredProvider } from '../find-provider.ts'
import { startAuthorization } from '../model/authorization.ts'
import { socialErrors as errors } from '../model/social.errors.ts'
import type { linkContract } from './link.contract.ts'

export const linkHandlers: Handlers<typeof linkContract> = {
  linkSocial: async ({ scope, caller: { user }, body }) => {
    const configured = configuredProvider(scope, body.provider)
    if (!configured) throw errors.PROVIDER_NOT_FOUND()
    const link = { userId: user.id, email: user.email }
    return { url: await startAuthorization(scope, configured, { ...body, link }), redirect: true }
  },
}
