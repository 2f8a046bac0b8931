import { isTrustedOrigin } from '../../../http/edge/trusted-origin.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import type { Scope } from '../../../identity/scope.ts'
import { AppError, faultIn, HookRefusal, passFault } from '../../../kit/errors.ts'
import { DatabaseFull } from '../../../platform/database-size.ts'
import { reasonOf } from '../../../platform/log.ts'
import { finishLink } from '../link/link.ts'
import type { CallbackOutcome, FailedCallback } from '../model/callback-outcome.ts'
import { type ConfiguredProvider, providerContextOf } from '../model/configured-provider.ts'
import { exchangeCode } from '../model/exchange.ts'
import { fetchProfile, type KnownPerson, readPerson } from '../model/profile.ts'
import type { ProviderTokens } from '../model/provider.ts'
import type { ProvenIdentity } from '../model/sign-in-by-identity.ts'
import { type AuthorizationState, takeState } from '../model/state.ts'
import { finishStepUp } from '../step-up/step-up.ts'
import { finishSignIn } from './finish-sign-in.ts'

/** The differences between the callback of the registry's providers and of configured ones. */
export interface CallbackRules {
  /** Parameters that are required before the state is used, with the error for a missing one. */
  required: Partial<Record<'code' | 'state', string>>
  /** @returns null for a provider that is unknown, or whose configuration is incomplete */
  findProvider(
    scope: Scope,
    id: string,
    state: AuthorizationState,
  ): ConfiguredProvider | null | Promise<ConfiguredProvider | null>
  /** Throws for an unknown id before the state is used. */
  requireProvider?(scope: Scope, id: string): void
  errors: { noProvider: string; noCode: string; invalidCode: string; noPerson: string; noEmail: string }
  /** Linking requires the address of the user, unless the configuration allows different ones. */
  sameEmailToLink: boolean
  /** Replaces the sign-in of the identity's user. */
  finish?(scope: Scope, state: AuthorizationState, identity: ProvenIdentity): Promise<CallbackOutcome>
  /** Replaces the outcome of an authorization whose state was found. */
  settle?(scope: Scope, state: AuthorizationState, outcome: CallbackOutcome): Promise<CallbackOutcome>
}

const restart = (detail?: string): FailedCallback => ({ error: 'please_restart_the_process', detail })

/** Finishes an authorization when the provider sends the browser back: with a sign-in, a link or a step-up. */
export async function finishCallback(
  scope: Scope,
  id: string,
  query: Readonly<Record<string, unknown>>,
  rules: CallbackRules,
): Promise<CallbackOutcome> {
  const callback = readCallback(query)
  if (!callback) return { error: 'invalid_callback_request' }
  if (callback.error !== undefined) return providerError(scope, callback, rules)
  for (const [name, error] of Object.entries(rules.required)) if (callback[name] === undefined) return { error }
  rules.requireProvider?.(scope, id)

  const state = await takeState(scope, callback.state ?? '')
  if (!state) return restart()
  const { proxied, errorURL } = state
  if (proxied && !isTrustedOrigin(scope.settings, proxied.origin)) return restart(`${proxied.origin} is not trusted`)
  const outcome = { errorURL, ...(await outcomeOf(scope, id, state, callback, rules)) }
  return rules.settle ? rules.settle(scope, state, outcome) : 'to' in outcome ? { to: outcome.to } : outcome
}

async function outcomeOf(
  scope: Scope,
  id: string,
  state: AuthorizationState,
  callback: CallbackParameters,
  rules: CallbackRules,
): Promise<CallbackOutcome> {
  if (callback.code === undefined) return { error: rules.errors.noCode }
  const configured = await rules.findProvider(scope, id, state)
  if (!configured) return { error: rules.errors.noProvider, detail: 'the provider is not configured' }
  const { callbackPath } = state
  if (callbackPath !== configured.callbackPath) {
    return { ...restart(`the state is for ${callbackPath}`), errorURL: undefined }
  }
  try {
    const known = await askProvider(scope, configured, state, callback, rules)
    return 'error' in known ? known : await againAfterFault(scope, () => finish(scope, configured, state, known, rules))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      scope.log('error', 'callback-failed', { provider: configured.provider.id, reason: reasonOf(thrown) })
    }
    return failureOf(thrown)
  }
}

type Known = { tokens: ProviderTokens; person: KnownPerson }

function finish(
  scope: Scope,
  configured: ConfiguredProvider,
  state: AuthorizationState,
  { tokens, person }: Known,
  { errors, sameEmailToLink, finish: finishOwn }: CallbackRules,
): Promise<CallbackOutcome> {
  const identity = { providerId: configured.provider.id, person, tokens }
  if (finishOwn) return finishOwn(scope, state, identity)
  if (state.stepUp) return finishStepUp(scope, state, person.id, tokens)
  if (state.link) return finishLink(scope, state, identity, sameEmailToLink)
  return finishSignIn(scope, configured, state, identity, errors.noEmail)
}

/** The parameters of a callback that are read. Others, such as an id token in the front channel, are ignored. */
const names = ['code', 'state', 'iss', 'error', 'error_description', 'device_id', 'user'] as const
const maxLength = 4096

type CallbackParameters = Readonly<Record<string, string>>

/** @returns null when a parameter is too long, or not a string */
export function readCallback(query: Readonly<Record<string, unknown>>): CallbackParameters | null {
  const parameters: Record<string, string> = {}
  for (const name of names) {
    const value = query[name]
    if (value === undefined || value === '') continue
    if (typeof value !== 'string' || value.length > maxLength) return null
    parameters[name] = value
  }
  return parameters
}

/** A provider's error, such as a refused consent. Only the configured page gets its description, as plain text. */
async function providerError(
  scope: Scope,
  callback: CallbackParameters,
  { settle }: CallbackRules,
): Promise<CallbackOutcome> {
  const error = /^[A-Za-z0-9_']{1,64}$/.test(callback.error!) ? callback.error! : 'Unknown'
  const detail = 'sent by the provider'
  const state = callback.state === undefined ? null : await takeState(scope, callback.state)
  const description = callback.error_description?.replace(/\p{Cc}/gu, ' ').slice(0, 200) || undefined
  const shown =
    state?.errorURL && !state.proxied ? { error, errorURL: state.errorURL, detail } : { error, description, detail }
  return state && settle ? settle(scope, state, { ...shown, description }) : shown
}

/** Code -> tokens -> profile -> user. */
async function askProvider(
  scope: Scope,
  configured: ConfiguredProvider,
  { codeVerifier, nonce, scopes }: AuthorizationState,
  callback: CallbackParameters,
  { errors }: CallbackRules,
): Promise<Known | FailedCallback> {
  let error = errors.invalidCode
  try {
    const tokens = await exchangeCode(scope, configured, { callback, codeVerifier, nonce, scopes })
    error = errors.noPerson
    const context = providerContextOf(scope, configured, callback)
    const profile = await fetchProfile(configured, tokens, context)
    const person = profile && (await readPerson(configured, profile, context))
    return person ? { tokens, person } : { error, detail: 'the profile has no subject' }
  } catch (thrown) {
    passFault(thrown)
    return { error, detail: reasonOf(thrown) }
  }
}

/** Repeats the work once after a fault: the provider's code is used, so the user would have to start again. */
async function againAfterFault<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!faultIn(thrown)) throw thrown
    scope.log('warn', 'callback-tried-again', { reason: reasonOf(thrown) })
    scope.response.cookies.withdraw()
    return work()
  }
}

/**
 * The redirect's error for an exception. After a fault, either everything is written or nothing: the user starts again.
 */
export function failureOf(thrown: unknown): FailedCallback {
  if (!(thrown instanceof AppError)) {
    const fault = faultIn(thrown)
    if (fault instanceof DatabaseFull) return { error: httpErrors.DATABASE_ALMOST_FULL.code }
    return { error: fault ? 'temporarily_unavailable' : 'internal_server_error' }
  }
  const detail = reasonOf(thrown)
  if (thrown instanceof HookRefusal) return { error: thrown.code, detail }
  if (thrown.code === 'TOO_MANY_REQUESTS' || thrown.code === 'DISPOSABLE_EMAIL') return { error: thrown.code, detail }
  if (thrown.code === 'BANNED_USER') return { error: 'banned', description: thrown.message, errorURL: undefined }
  return {
    error: thrown.code === 'FAILED_TO_CREATE_SESSION' ? 'unable_to_create_session' : 'unable_to_create_user',
    detail,
  }
}
