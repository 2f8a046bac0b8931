import type { Scope } from '../../../identity/scope.ts'
import type { CallbackRules } from '../callback/callback.ts'
import { customProvider, findCustomOptions } from '../custom-provider.ts'
import type { ConfiguredProvider } from '../model/configured-provider.ts'
import { genericOAuthErrors as errors, noConfigFound } from './generic.errors.ts'

function requireCustomOptions(scope: Scope, id: string): void {
  if (!findCustomOptions(scope, id)) throw noConfigFound(id)
}

/** @throws "No config found for provider ...", INVALID_OAUTH_CONFIGURATION */
export async function requireCustomProvider(scope: Scope, id: string): Promise<ConfiguredProvider> {
  requireCustomOptions(scope, id)
  const configured = await customProvider(scope, id)
  if (!configured) throw errors.INVALID_OAUTH_CONFIGURATION()
  return configured
}

export const callbackRules: CallbackRules = {
  required: { code: 'oAuth_code_missing' },
  requireProvider: requireCustomOptions,
  findProvider: customProvider,
  errors: {
    noProvider: 'oauth_code_verification_failed',
    noCode: 'oAuth_code_missing',
    invalidCode: 'oauth_code_verification_failed',
    noPerson: 'user_info_is_missing',
    noEmail: 'email_is_missing',
  },
  sameEmailToLink: true,
}
