import { auth } from '../../lib/api.ts'
import type { PublicConfig } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { atProvider, startedMethod } from '../../lib/last-used.ts'

interface Start {
  callbackURL: string | undefined
  /** After an error the browser comes back to this page. */
  errorCallbackURL: string
  signingUp?: boolean | undefined
}

/** Opens the provider. */
export async function startAtProvider(
  { id, kind }: Pick<PublicConfig['providers'][number], 'id' | 'kind'>,
  { callbackURL = '/account/profile', errorCallbackURL, signingUp }: Start,
): Promise<Result<unknown>> {
  // Some providers create accounts only with `requestSignUp`.
  const target = { callbackURL, errorCallbackURL, ...(signingUp ? { requestSignUp: true } : {}) }
  const result =
    kind === 'oauth2'
      ? await auth.signIn.oauth2({ providerId: id, ...target })
      : await auth.signIn.social({ provider: id, ...target })
  if (!result.error) startedMethod.set(atProvider(id))
  return result
}
