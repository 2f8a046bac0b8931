import type { Handlers } from '../../../http/routes.ts'
import { startAuthorization } from '../client/authorization.ts'
import { socialErrors as errors } from '../client/social.errors.ts'
import { configuredProvider } from '../configured/find-provider.ts'
import type { linkContract } from './link.contract.ts'

export const linkHandlers: Handlers<typeof linkContract> = {
  linkSocial: async ({ scope, caller: { user }, body }) => {
    const configured = configuredProvider(scope, body.provider)
    if (!configured) throw errors.PROVIDER_NOT_FOUND()
    const link = { userId: user.id, email: user.email }
    return { url: await startAuthorization(scope, configured, { ...body, link }), redirect: true }
  },
}
