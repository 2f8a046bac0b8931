import type { Scope } from '../../identity/scope.ts'
import type { SignInResult } from '../../identity/sign-in.ts'
import { AppError, type AppErrorKind } from '../../kit/errors.ts'
import { type ConfiguredProvider, isTrusted } from '../social/configured.ts'
import { configuredProvider } from '../social/find-provider.ts'
import { type Refusal, signInByIdentity } from '../social/match-person.ts'
import { findProvider } from '../social/providers.ts'
import { readBroughtToken } from '../social/sign-in.ts'
import { oneTapOptions } from './one-tap.config.ts'
import { oneTapErrors as errors } from './one-tap.errors.ts'

const refusals: Record<Refusal, AppErrorKind> = {
  email_not_found: errors.EMAIL_NOT_AVAILABLE_IN_TOKEN,
  account_not_linked: errors.GOOGLE_SUB_DOESNT_MATCH,
  unable_to_link_account: errors.GOOGLE_SUB_DOESNT_MATCH,
  signup_disabled: errors.SIGNUP_DISABLED,
  unable_to_create_user: errors.COULD_NOT_CREATE_USER,
}

/** Google as One Tap knows it: under a client id of its own, or that of the social provider. Null without either. */
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

/**
 * Signs in by an id token of Google.
 * @throws PROVIDER_NOT_FOUND, INVALID_ID_TOKEN, EMAIL_NOT_AVAILABLE_IN_TOKEN, GOOGLE_SUB_DOESNT_MATCH,
 *   SIGNUP_DISABLED, COULD_NOT_CREATE_USER, and what completeSignIn says
 */
export async function signInByOneTap(scope: Scope, token: string): Promise<SignInResult> {
  const configured = oneTapProvider(scope)
  if (!configured) throw errors.PROVIDER_NOT_FOUND()
  const { tokens, person } = await readToken(scope, configured, token)
  const { disableSignup } = oneTapOptions.of(scope)
  const { disableSignUp, disableImplicitSignUp, overrideUserInfoOnSignIn } = configured.options
  const signIn = await signInByIdentity(
    scope,
    { providerId: 'google', person, tokens, trusted: isTrusted(scope, configured) },
    {
      mayCreate: !disableSignup && !disableSignUp && !disableImplicitSignUp,
      overrideUserInfo: overrideUserInfoOnSignIn,
    },
  )
  if (signIn.kind === 'refused') throw refusals[signIn.reason]()
  return signIn.result
}

async function readToken(scope: Scope, configured: ConfiguredProvider, token: string) {
  try {
    return await readBroughtToken(scope, configured, { token })
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw errors.INVALID_ID_TOKEN({ detail: thrown.options.detail ?? thrown.message })
  }
}
