import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomNonce } from 'oauth4webapi'
import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { resolve } from '../../../kit/urls.ts'
import { type ConfiguredProvider, resolveAddress } from './configured-provider.ts'
import { productionOrigin } from './oauth-proxy.config.ts'
import type { Provider, ProviderOptions } from './provider.ts'
import { type AuthorizationState, putState } from './state.ts'

/** The caller's parameters of an authorization. */
export interface AuthorizationParameters {
  callbackURL?: string | undefined
  newUserCallbackURL?: string | undefined
  errorCallbackURL?: string | undefined
  scopes?: string[] | undefined
  requestSignUp?: boolean | undefined
  loginHint?: string | undefined
  link?: AuthorizationState['link']
  stepUp?: AuthorizationState['stepUp']
  test?: AuthorizationState['test']
}

/** The requested scopes: the provider's, the configuration's, the caller's. */
export function scopesOf(provider: Provider, options: ProviderOptions, requested: string[] = []): string[] {
  const byDefault = options.disableDefaultScope ? [] : provider.scopes
  return [...new Set([...byDefault, ...(options.scope ?? []), ...requested])]
}

/** Starts an authorization: stores its state and sets its cookie. @returns the URL of the provider */
export async function startAuthorization(
  scope: Scope,
  { provider, options, callbackPath, redirectUri }: ConfiguredProvider,
  request: AuthorizationParameters,
): Promise<string> {
  const scopes = scopesOf(provider, options, request.scopes)
  const usesPkce = typeof provider.pkce === 'function' ? provider.pkce(options) : provider.pkce
  const codeVerifier = usesPkce ? generateRandomCodeVerifier() : undefined
  const nonce = provider.idToken && provider.idToken.echoesNonce !== false ? generateRandomNonce() : undefined
  const production = productionOrigin(scope)
  // The deployment that handles the callback would resolve a path against its own URL.
  const here = (target: string) => (production === null ? target : resolve(target, scope.settings.baseUrl))
  const state = await putState(
    scope,
    {
      provider: provider.id,
      callbackPath,
      callbackURL: request.callbackURL || scope.settings.baseUrl,
      ...(request.newUserCallbackURL ? { newUserURL: request.newUserCallbackURL } : {}),
      ...(request.errorCallbackURL ? { errorURL: here(request.errorCallbackURL) } : {}),
      ...(codeVerifier ? { codeVerifier } : {}),
      ...(nonce ? { nonce } : {}),
      scopes,
      ...(request.requestSignUp ? { requestSignUp: true } : {}),
      ...(request.link ? { link: request.link } : {}),
      ...(request.stepUp ? { stepUp: request.stepUp } : {}),
      ...(request.test ? { test: request.test } : {}),
    },
    production,
  )
  const url = new URL(resolveAddress(provider.authorization, options))
  const parameters: Record<string, string | undefined> = {
    response_type: provider.responseType ?? 'code',
    client_id: options.clientId,
    state,
    scope: scopes.join(provider.scopeSeparator ?? ' ') || undefined,
    redirect_uri: production === null ? redirectUri : `${production}${basePath}${callbackPath}`,
    ...(provider.loginHint ? { [provider.loginHint]: request.loginHint } : {}),
    prompt: options.prompt ?? provider.prompt,
    response_mode: options.responseMode ?? provider.responseMode,
    nonce,
    ...(codeVerifier
      ? { code_challenge_method: 'S256', code_challenge: await calculatePKCECodeChallenge(codeVerifier) }
      : {}),
    ...provider.authorizationParameters?.(options),
    // Requests that the provider authenticates the user again (OpenID Connect Core, section 3.1.2.1).
    ...(request.stepUp ? { prompt: provider.reauthenticationPrompt ?? 'login' } : {}),
    ...(request.stepUp && provider.idToken ? { max_age: '0' } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(provider.parameterNames?.[name] ?? name, value)
  }
  return url.toString()
}
