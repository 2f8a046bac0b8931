import type { Scope } from '../../../identity/scope.ts'
import type { SignInResult } from '../../../identity/sign-in/sign-in.ts'
import { AppError, type AppErrorKind } from '../../../kit/errors.ts'
import { configuredProvider } from '../find-provider.ts'
import { type ConfiguredProvider, mayCreateUser } from '../model/configured-provider.ts'
import { readGivenIdToken } from '../model/given-id-token.ts'
import { type IdentityRefusal, requireSignIn } from '../model/sign-in-by-identity.ts'
import { findProvider } from '../providers/providers.ts'
import { oneTapOptions } from './one-tap.config.ts'
import { oneTapErrors as errors } from './one-tap.errors.ts'

const refusalErrors: Record<IdentityRefusal, AppErrorKind> = {
  email_not_found: errors.EMAIL_NOT_AVAILABLE_IN_TOKEN,
  account_not_linked: errors.GOOGLE_SUB_DOESNT_MATCH,
  unable_to_link_account: errors.GOOGLE_SUB_DOESNT_MATCH,
  signup_disabled: errors.SIGNUP_DISABLED,
  unable_to_create_user: errors.COULD_NOT_CREATE_USER,
}

/** Google with the client id of One Tap or of the social provider. Null without either. */
export function oneTapProvider(scope: Scope): ConfiguredProvider | null {
  const { clientId } = oneTapOptions.of(scope)
  const social = configuredProvider(scope, 'google')
  if (!clientId) return social
  const provider = social?.provider ?? findProvider('google')!
  return {
    provider,
    options: { clientSecret: '', ...social?.options, clientId },
    callbackPath: '/one-tap/callback',
    redirectUri: '',
  }
}

/** Signs in by an id token of Google. */
export async function signInByOneTap(scope: Scope, token: string): Promise<SignInResult> {
  const configured = oneTapProvider(scope)
  if (!configured) throw errors.PROVIDER_NOT_FOUND()
  const known = await readGivenIdToken(scope, configured, { token }).catch((thrown) => {
    if (!(thrown instanceof AppError)) throw thrown
    throw errors.INVALID_ID_TOKEN({ detail: thrown.options.detail ?? thrown.message })
  })
  const { options } = configured
  const mayCreate = !oneTapOptions.of(scope).disableSignup && mayCreateUser(options)
  const rules = { mayCreate, overrideUserInfo: options.overrideUserInfoOnSignIn }
  const { result } = await requireSignIn(scope, { providerId: 'google', ...known }, rules, refusalErrors)
  return result
}
