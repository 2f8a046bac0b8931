import { importPKCS8, SignJWT } from 'jose'
import * as z from 'zod'
import { minutes } from '../../../kit/time.ts'
import { defineProvider, type ProviderContext, type ProviderOptions } from '../provider.ts'
import { dig, fullName } from './dig.ts'

/**
 * https://developer.apple.com/documentation/signinwithapplerestapi
 *
 * Apple has no client secrets: the client signs one with a key of its own. Give `teamId`, `keyId` and the key (as
 * `privateKey`, or the secret APPLE_CLIENT_SECRET), or a ready JWT as `clientSecret`, which lives six months at most.
 */
export interface AppleOptions extends ProviderOptions {
  /** Id tokens of the native app are issued to this audience, those of the website to the client id. */
  appBundleIdentifier?: string
  teamId?: string
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
  // The name comes once, with the first consent, beside the token and signed by nobody. The address is the token's.
  fetchProfile: async ({ claims }, { callback }) => claims && { ...claims, user: parse(callback.user) },
  toUser: ({ sub, email, email_verified, user }) => ({
    id: sub,
    name: fullName(dig(user, 'name', 'firstName'), dig(user, 'name', 'lastName')),
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
  if (!key || !teamId || !keyId) throw new Error('apple: a clientSecret, or teamId, keyId and privateKey, are needed')
  const issuedAt = Math.floor(now.getTime() / 1000)
  return (
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + minutes(5))
      // A variable of the environment often has the line ends written out.
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
