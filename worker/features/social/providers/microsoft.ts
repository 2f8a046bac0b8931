import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { seconds } from '../../../kit/time.ts'
import type { Outside } from '../../../platform/outside.ts'
import { getObject } from '../model/fetch-json.ts'
import { defineProvider, type Profile, type ProviderOptions } from '../model/provider.ts'

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc */
export interface MicrosoftOptions extends ProviderOptions {
  /** `common`, `organizations`, `consumers`, or the id (a GUID) of one directory. Default: `common`. */
  tenantId?: string
  /** Whether the photo is not read. @default false */
  disableProfilePhoto?: boolean
  /** Width and height in pixels. Default: 48. */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

const authority = 'https://login.microsoftonline.com'
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The directory of all personal accounts. */
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
/** The image is stored in the user's row. */
const maxPhotoBytes = 64 * 1024

const at = (path: string) => (options: MicrosoftOptions) => `${authority}/${options.tenantId ?? 'common'}${path}`

export const microsoft = defineProvider<MicrosoftOptions>({
  id: 'microsoft',
  name: 'Microsoft',
  options: {
    tenantId: z.string(),
    disableProfilePhoto: z.boolean(),
    profilePhotoSize: z.literal([48, 64, 96, 120, 240, 360, 432, 504, 648]),
  },
  authorization: at('/oauth2/v2.0/authorize'),
  token: at('/oauth2/v2.0/token'),
  scopes: ['openid', 'profile', 'email', 'User.Read', 'offline_access'],
  pkce: true,
  clientAuthentication: 'post',
  loginHint: 'login_hint',
  idToken: {
    issuer: ({ tenantId = 'common' }, { tid }) => issuers(tenantId, tid),
    jwks: at('/discovery/v2.0/keys'),
    algorithms: ['RS256'],
  },
  async fetchProfile({ claims, accessToken }, { options, outside }) {
    if (!accessToken) return claims
    const [profile, photo] = await Promise.all([
      claims ?? getObject({ outside }, 'https://graph.microsoft.com/oidc/userinfo', { accessToken }),
      options.disableProfilePhoto ? null : fetchPhoto(outside, accessToken, options.profilePhotoSize ?? 48),
    ])
    return photo ? { ...profile, picture: photo } : profile
  },
  toUser: (profile) => ({
    id: profile.sub,
    name: profile.name,
    email: profile.email,
    image: profile.picture,
    emailVerified: profile.email_verified ?? ownsDomain(profile),
  }),
})

/** The issuers that the configured tenant allows for the tenant of the token. */
function issuers(tenantId: string, tid: unknown): string[] {
  if (typeof tid !== 'string' || !guid.test(tid)) return []
  const allowed =
    tenantId === 'common' ||
    (tenantId === 'organizations' && tid !== consumers) ||
    (tenantId === 'consumers' && tid === consumers) ||
    tenantId.toLowerCase() === tid
  return allowed ? [`${authority}/${tid}/v2.0`] : []
}

/**
 * An administrator of a directory may enter any address. The optional claim `xms_edov`, enabled at the app's registration,
 * says that the directory has proven the domain of the address; it is true, 1 or "1".
 */
const ownsDomain = ({ xms_edov: edov }: Profile): boolean => edov === true || edov === 1 || edov === '1'

/** The photo as a data URL; null without a photo, after an error, and after the timeout. */
async function fetchPhoto(outside: Outside, accessToken: string, size: number): Promise<string | null> {
  try {
    const answer = await outside(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, {
      headers: { authorization: `Bearer ${accessToken}` },
      timeout: seconds(2),
    })
    const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
    if (!answer.ok || !['image/jpeg', 'image/png', 'image/gif'].includes(type)) return null
    const bytes = await answer.arrayBuffer()
    if (bytes.byteLength > maxPhotoBytes) return null
    return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  } catch {
    return null
  }
}
