import { askFirst } from '../../http/ask-first.ts'
import { isTrustedOrigin } from '../../http/edge/trusted-origin.ts'
import { errorUrl } from '../../http/error-url.ts'
import type { Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { accountOptions } from '../../identity/settings.ts'
import { AppError, faultIn, HookRefusal, passFault, RedirectError } from '../../kit/errors.ts'
import { withQuery } from '../../kit/urls.ts'
import { reasonOf } from '../../platform/log.ts'
import { askForAddress } from './address/ask-for-address.ts'
import { type ConfiguredProvider, contextOf, isTrusted } from './configured.ts'
import { exchangeCode } from './exchange.ts'
import { linkPerson, type ProvenIdentity, signInByIdentity } from './match-person.ts'
import { fetchProfile, type KnownPerson, readPerson } from './profile.ts'
import type { ProviderTokens } from './provider.ts'
import { handOver } from './proxy/handover.ts'
import { type AuthorizationState, takeState } from './state.ts'

/** What a provider may send to a callback; anything else in it is not looked at. */
export type CallbackParameters = Readonly<Record<string, string>>

/** What providers send; of anything else, such as an id token in front of the browser, we take no notice. */
const names = ['code', 'state', 'iss', 'error', 'error_description', 'device_id', 'user'] as const
const longest = 4096

/** @returns null when a parameter is longer than any provider's */
export function readCallback(given: Readonly<Record<string, unknown>>): CallbackParameters | null {
  const parameters: Record<string, string> = {}
  for (const name of names) {
    const value = given[name]
    if (value === undefined || value === '') continue
    if (typeof value !== 'string' || value.length > longest) return null
    parameters[name] = value
  }
  return parameters
}

/** The codes of error redirects, where social sign-in and generic OAuth have different ones. */
export interface CallbackCodes {
  noCode: string
  invalidCode: string
  noPerson: string
  noEmail: string
}

export interface CallbackRules {
  codes: CallbackCodes
  /** Linking asks for the address of the user who links, unless the configuration allows other ones. */
  sameEmailToLink: boolean
}

/** Sends the browser to where errors go, with a code that says what happened. The detail goes to the log only. */
export function failAt(scope: Scope, target: string | undefined, error: string, detail?: string): never {
  throw new RedirectError(errorUrl(scope, { error }, target), { detail: detail ? `${error}: ${detail}` : error })
}

/**
 * The provider says itself what went wrong, such as a refused consent. The code goes to where the caller wants errors;
 * the provider's words reach the configured error page only, and only as plain text of a sensible length.
 */
export async function passOnError(scope: Scope, callback: CallbackParameters): Promise<never> {
  const { error = '', error_description: description } = callback
  const code = /^[A-Za-z0-9_']{1,64}$/.test(error) ? error : 'Unknown'
  const state = callback.state === undefined ? null : await takeState(scope, callback.state)
  if (state?.errorURL && !state.proxied) return failAt(scope, state.errorURL, code)
  const words = description?.replace(/\p{Cc}/gu, ' ').slice(0, 200)
  const location = errorUrl(scope, { error: code, error_description: words || undefined })
  throw new RedirectError(location, { detail: `the provider says ${code}` })
}

/**
 * Finishes an authorization whose state has been used: code, tokens, profile, person, session.
 * @returns where the browser goes
 * @throws RedirectError with an error code
 */
export async function finishAuthorization(
  scope: Scope,
  configured: ConfiguredProvider,
  state: AuthorizationState,
  callback: CallbackParameters,
  rules: CallbackRules,
): Promise<string> {
  const fail = (code: string, detail?: unknown): never =>
    failAt(scope, state.errorURL, code, detail === undefined ? undefined : reasonOf(detail))
  try {
    const { tokens, person } = await askProvider(scope, configured, state, callback, rules.codes, fail)
    if (state.link) return await finishLink(scope, configured, state, { tokens, person }, rules, fail)
    return await finishSignIn(
      scope,
      configured,
      state,
      {
        providerId: configured.provider.id,
        person,
        tokens,
        trusted: isTrusted(scope, configured),
      },
      rules.codes,
      fail,
    )
  } catch (thrown) {
    if (thrown instanceof RedirectError) throw thrown
    if (!(thrown instanceof AppError)) {
      scope.log('error', 'callback-failed', { provider: configured.provider.id, reason: reasonOf(thrown) })
      // Nothing has been written, or all of it: whoever starts again begins a new authorization.
      return fail(faultIn(thrown) ? 'temporarily_unavailable' : 'internal_server_error')
    }
    if (thrown instanceof HookRefusal) return fail(thrown.code, thrown)
    if (thrown.code === 'BANNED_USER') {
      const banned = errorUrl(scope, { error: 'banned', error_description: thrown.message })
      throw new RedirectError(banned, { detail: 'banned' })
    }
    return fail(
      thrown.code === 'FAILED_TO_CREATE_SESSION' ? 'unable_to_create_session' : 'unable_to_create_user',
      thrown,
    )
  }
}

type Fail = (code: string, detail?: unknown) => never

/** Code -> tokens -> profile -> person. */
async function askProvider(
  scope: Scope,
  configured: ConfiguredProvider,
  { codeVerifier, nonce, scopes }: AuthorizationState,
  callback: CallbackParameters,
  codes: CallbackCodes,
  fail: Fail,
): Promise<{ tokens: ProviderTokens; person: KnownPerson }> {
  let tokens: ProviderTokens
  try {
    tokens = await exchangeCode(scope, configured, { callback, codeVerifier, nonce, scopes })
  } catch (thrown) {
    passFault(thrown)
    return fail(codes.invalidCode, thrown)
  }
  const context = contextOf(scope, configured, callback)
  let person: KnownPerson | null
  try {
    const profile = await fetchProfile(configured, tokens, context)
    person = profile && (await readPerson(configured, profile, context))
  } catch (thrown) {
    passFault(thrown)
    return fail(codes.noPerson, thrown)
  }
  if (!person) return fail(codes.noPerson, 'the profile has no subject')
  return { tokens, person }
}

async function finishSignIn(
  scope: Scope,
  { provider, options }: ConfiguredProvider,
  state: AuthorizationState,
  identity: ProvenIdentity,
  codes: CallbackCodes,
  fail: Fail,
): Promise<string> {
  const mayCreate = !options.disableSignUp && (!options.disableImplicitSignUp || state.requestSignUp === true)
  const overrideUserInfo = options.overrideUserInfoOnSignIn
  const signIn = await signInByIdentity(scope, identity, { mayCreate, overrideUserInfo })
  if (signIn.kind === 'refused') {
    if (signIn.reason !== 'email_not_found') return fail(signIn.reason)
    // Another deployment's browser could not be known again.
    if (state.proxied || !accountOptions.of(scope).askForEmail) return fail(codes.noEmail)
    return askForAddress(scope, identity, { name: provider.name, mayCreate, state })
  }
  const { result, isNew } = signIn
  const target = (isNew ? state.newUserURL : undefined) ?? state.callbackURL
  if (state.proxied) {
    // Nobody has shown that this is the browser of the sign-in, so nothing may stay here that signs it in.
    scope.cookies.withdraw()
    scope.headers.delete('set-auth-token')
    if (result.kind === 'challenged') return fail('unable_to_create_session', 'a second factor needs one deployment')
    return handOver(scope, { ...state.proxied, callbackURL: target }, result.session.token)
  }
  // The screens of the app ask the second question, and know from the query where to go after it.
  if (result.kind === 'challenged') return withQuery(`${scope.settings.baseUrl}/two-factor`, { callbackURL: target })
  return askFirst(scope, result.user, target)
}

/** Links to whoever started it. They must still be signed in on this browser: the cookie alone is not them. */
async function finishLink(
  scope: Scope,
  { provider }: ConfiguredProvider,
  { link, callbackURL }: AuthorizationState,
  { tokens, person }: { tokens: ProviderTokens; person: KnownPerson },
  { sameEmailToLink }: CallbackRules,
  fail: Fail,
): Promise<string> {
  const caller = await scope.caller()
  if (caller?.user.id !== link!.userId) return fail('unable_to_link_account', 'somebody else is signed in')
  const { allowDifferentEmails } = accountOptions.of(scope).accountLinking
  if (sameEmailToLink && !allowDifferentEmails && person.email !== caller.user.email) {
    return fail("email_doesn't_match")
  }
  const linked = await linkPerson(scope, caller.user, { providerId: provider.id, tokens, person })
  if (linked.kind === 'refused') return fail(linked.reason)
  if (linked.user !== caller.user) refreshSessionCookies(scope, caller, linked.user)
  return callbackURL
}

/**
 * Uses the state of a callback.
 * @throws RedirectError `please_restart_the_process`: unknown, used, too old, or of another browser
 */
export async function redeemState(scope: Scope, name: string): Promise<AuthorizationState> {
  const state = await takeState(scope, name)
  if (!state) return failAt(scope, undefined, 'please_restart_the_process')
  if (state.proxied && !isTrustedOrigin(scope.settings, state.proxied.origin)) {
    return failAt(scope, undefined, 'please_restart_the_process', `${state.proxied.origin} is not trusted`)
  }
  return state
}
