import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomNonce } from 'oauth4webapi'
import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { resolve } from '../../kit/urls.ts'
import { addressOf, type ConfiguredProvider } from './configured.ts'
import type { Provider, ProviderOptions } from './provider.ts'
import { productionOrigin } from './proxy/handover.ts'
import { type AuthorizationState, putState } from './state.ts'

/** What the caller wants of an authorization. */
export interface AuthorizationWish {
  callbackURL?: string | undefined
  newUserCallbackURL?: string | undefined
  errorCallbackURL?: string | undefined
  scopes?: string[] | undefined
  requestSignUp?: boolean | undefined
  loginHint?: string | undefined
  link?: AuthorizationState['link']
}

/** The scopes to ask for: the provider's, the configuration's, the caller's. */
export function scopesOf(provider: Provider, options: ProviderOptions, wished: string[] = []): string[] {
  const byDefault = options.disableDefaultScope ? [] : provider.scopes
  return [...new Set([...byDefault, ...(options.scope ?? []), ...wished])]
}

/**
 * Starts an authorization: stores its state, marks the browser with a cookie.
 * @returns the URL at the provider that the browser has to go to
 */
export async function startAuthorization(
  scope: Scope,
  { provider, options, callbackPath, redirectUri }: ConfiguredProvider,
  wish: AuthorizationWish,
): Promise<string> {
  const scopes = scopesOf(provider, options, wish.scopes)
  const usesPkce = typeof provider.pkce === 'function' ? provider.pkce(options) : provider.pkce
  const codeVerifier = usesPkce ? generateRandomCodeVerifier() : undefined
  const nonce = provider.idToken && provider.idToken.echoesNonce !== false ? generateRandomNonce() : undefined
  const production = productionOrigin(scope)
  // At another deployment a path would be one of its own.
  const here = (target: string) => (production === null ? target : resolve(target, scope.settings.baseUrl))
  const state = await putState(
    scope,
    {
      provider: provider.id,
      callbackPath,
      callbackURL: wish.callbackURL || scope.settings.baseUrl,
      ...(wish.newUserCallbackURL ? { newUserURL: wish.newUserCallbackURL } : {}),
      ...(wish.errorCallbackURL ? { errorURL: here(wish.errorCallbackURL) } : {}),
      ...(codeVerifier ? { codeVerifier } : {}),
      ...(nonce ? { nonce } : {}),
      scopes,
      ...(wish.requestSignUp ? { requestSignUp: true } : {}),
      ...(wish.link ? { link: wish.link } : {}),
    },
    production,
  )
  const url = new URL(addressOf(provider.authorization, options))
  const parameters: Record<string, string | undefined> = {
    response_type: provider.responseType ?? 'code',
    client_id: options.clientId,
    state,
    scope: scopes.join(provider.scopeSeparator ?? ' ') || undefined,
    redirect_uri: production === null ? redirectUri : `${production}${basePath}${callbackPath}`,
    ...(provider.loginHint ? { [provider.loginHint]: wish.loginHint } : {}),
    prompt: options.prompt ?? provider.prompt,
    response_mode: options.responseMode ?? provider.responseMode,
    nonce,
    ...(codeVerifier
      ? { code_challenge_method: 'S256', code_challenge: await calculatePKCECodeChallenge(codeVerifier) }
      : {}),
    ...provider.authorizationParameters?.(options),
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(provider.parameterNames?.[name] ?? name, value)
  }
  return url.toString()
}
