import * as z from 'zod'
import { minutes } from '../../../kit/time.ts'
import { defineProvider, type ProviderContext, type ProviderOptions } from '../model/provider.ts'
import { fullName, valueAt } from './profile-values.ts'

/**
 * https://developer.apple.com/documentation/signinwithapplerestapi
 *
 * Apple issues no client secrets: the client signs a JWT with its own key. Configure `teamId`, `keyId` and the key (as
 * `privateKey`, or the secret APPLE_CLIENT_SECRET), or a signed JWT as `clientSecret`, which is valid for six months at most.
 */
export interface AppleOptions extends ProviderOptions {
  /** The audience of id tokens of the native app. Those of the website have the client id. */
  appBundleIdentifier?: string
  /** The id of the developer team. */
  teamId?: string
  /** The id of the key in `privateKey`. */
  keyId?: string
  /** The text of the .p8 file. */
  privateKey?: string
}

const issuer = 'https://appleid.apple.com'

export const apple = defineProvider<AppleOptions>({
  id: 'apple',
  name: 'Apple',
  options: { appBundleIdentifier: z.string(), teamId: z.string(), keyId: z.string(), privateKey: z.string() },
  authorization: `${issuer}/auth/authorize`,
  token: `${issuer}/auth/token`,
  scopes: ['email', 'name'],
  pkce: false,
  clientAuthentication: 'post',
  clientSecret: ({ options, now }) => signClientSecret(options, now),
  responseType: 'code id_token',
  responseMode: 'form_post',
  idToken: {
    issuer,
    jwks: `${issuer}/auth/keys`,
    audience: ({ clientId, appBundleIdentifier }) => (appBundleIdentifier ? [clientId, appBundleIdentifier] : clientId),
  },
  // Apple sends the name once, with the first consent, unsigned. The address is read from the id token.
  fetchProfile: async ({ claims }, { callback }) => claims && { ...claims, user: parse(callback.user) },
  toUser: ({ sub, email, email_verified, user }) => ({
    id: sub,
    name: fullName(valueAt(user, 'name', 'firstName'), valueAt(user, 'name', 'lastName')),
    email,
    image: undefined,
    emailVerified: email_verified,
  }),
})

/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
async function signClientSecret(options: ProviderContext<AppleOptions>['options'], now: Date): Promise<string> {
  const { clientId, clientSecret, teamId, keyId } = options
  const key = options.privateKey ?? (clientSecret?.startsWith('-----BEGIN') ? clientSecret : undefined)
  if (!key && clientSecret) return clientSecret
  if (!key || !teamId || !keyId) throw new Error('apple: configure clientSecret, or teamId, keyId and privateKey')
  const { importPKCS8, SignJWT } = await import('jose')
  const issuedAt = Math.floor(now.getTime() / 1000)
  return (
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + minutes(5))
      // Environment variables often contain escaped line breaks.
      .sign(await importPKCS8(key.replaceAll('\\n', '\n'), 'ES256'))
  )
}

function parse(text: string | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
