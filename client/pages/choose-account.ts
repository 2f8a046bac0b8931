import { accessIdentityTexts } from '../features/access-identity/texts.ts'
import { passkeyErrors } from '../features/passkey/texts.ts'
import { startAtProvider } from '../features/social/start.ts'
import { auth, type Config } from '../lib/api.ts'
import type { SignInAnswer } from '../lib/auth/endpoints.ts'
import type { AuthError } from '../lib/auth/types.ts'
import type { Continuation } from '../lib/continuation.ts'
import type { KnownAccount } from '../lib/known-accounts.ts'
import { startedMethod, type UsedMethod } from '../lib/last-used.ts'
import type { Dictionary } from '../lib/texts/define.ts'
import { messageWays } from './message-ways.tsx'

/** A dictionary whose texts are messages by code, or which has them as `errors`. */
export type Messages = { byCode: Dictionary<Record<string, string>> } | Dictionary<{ errors: Record<string, string> }>

/** What follows the choice of an account. */
export type Chosen =
  | { kind: 'signed-in'; used: UsedMethod; answer: SignInAnswer }
  /** The second step of the form. */
  | { kind: 'enter'; identifier: string }
  /** A code or a link has been sent. */
  | { kind: 'sent'; path: string; to: string }
  | { kind: 'left' }
  | { kind: 'refused'; error: AuthError; messages?: Messages; identifier?: string }

/** Signs in with the account the way it did last, as far as that needs no typing. */
export async function chooseAccount(
  { id, method }: KnownAccount,
  config: Config,
  continuation: Continuation,
  errorCallbackURL: string,
): Promise<Chosen> {
  const { features, providers } = config
  const { callbackURL } = continuation
  const choosing = auth.knownAccounts.choose({ id })
  if (method === 'passkey' && features.passkey) {
    const { signInByButton } = await import('../features/passkey/sign-in.ts')
    const only = choosing.then(({ data }) => data?.credentialId ?? null)
    const { data, error } = await signInByButton(callbackURL, only)
    if (data) return { kind: 'signed-in', used: 'passkey', answer: data }
    return { kind: 'refused', error, messages: { byCode: passkeyErrors }, ...ofChoice((await choosing).data) }
  }
  const { data: chosen, error } = await choosing
  if (!chosen) return { kind: 'refused', error }
  const { identifier } = chosen
  const provider = providers.find((one) => one.id === method)
  if (provider) {
    const { error } = await startAtProvider(provider, { callbackURL, errorCallbackURL })
    return error ? { kind: 'refused', error, identifier } : { kind: 'left' }
  }
  if (method === 'sso' && features.singleSignOn) {
    const { error } = await auth.signIn.sso({
      email: identifier,
      callbackURL: callbackURL ?? '/account/profile',
      errorCallbackURL,
    })
    if (error) return { kind: 'enter', identifier }
    startedMethod.set('sso')
    return { kind: 'left' }
  }
  if (method === 'cloudflare-access' && features.accessIdentity) {
    const { data, error } = await auth.signIn.access()
    if (data) return { kind: 'signed-in', used: method, answer: data }
    return { kind: 'refused', error, messages: accessIdentityTexts, identifier }
  }
  const way = messageWays.find(({ id, when }) => id === method && when(features, identifier))
  if (!way) return { kind: 'enter', identifier }
  const { error: unsent } = await way.send(identifier, continuation)
  return unsent
    ? { kind: 'refused', error: unsent, messages: way.texts, identifier }
    : { kind: 'sent', path: way.path, to: identifier }
}

const ofChoice = (chosen: { identifier: string } | null) => (chosen ? { identifier: chosen.identifier } : {})
