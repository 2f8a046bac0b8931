import { expect } from 'vitest'
import type { Json, SocialChange } from './outside/deviating-provider.ts'
import type { ProviderPerson } from './outside/provider-documentation.ts'
import type { DocumentedProvider } from './outside/social/documentation.ts'
import { tenant } from './outside/social/microsoft.ts'

/**
 * Responses of the social providers that deviate from the standards, or that other products have misread, as their users have
 * reported them. Each is a change of a documented response.
 */

/** The code of the redirect; or fields of the user and of the tokens, and refreshes that succeed after that. */
export type SocialOutcome = { error: string } | { user?: Json; tokens?: Json; refreshes?: number }

export type SocialQuirk = [deviation: string, source: string, change: SocialChange, outcome: SocialOutcome]

const json = (value: unknown, status = 200) => Response.json(value, { status })
const form = (fields: Json, type = 'application/x-www-form-urlencoded') =>
  new Response(new URLSearchParams(fields).toString(), { headers: { 'content-type': `${type}; charset=utf-8` } })
const page = (status: number) =>
  new Response('<html><body><h1>Forbidden</h1></body></html>', { status, headers: { 'content-type': 'text/html' } })
const without = (name: string) => (answer: Json) => ({ ...answer, [name]: undefined })
const firstOnly = (name: string) => (answer: Json, n: number) => (n === 1 ? answer : { ...answer, [name]: undefined })

const email = 'octo@example.com'
const text = expect.any(String)
const unverified = { user: { email, emailVerified: false } }
const verified = { user: { email, emailVerified: true } }
const noEmail = { error: 'email_not_found' }
const noCode = { error: 'invalid_code' }
const noProfile = { error: 'unable_to_get_user_info' }
const away = { error: 'temporarily_unavailable' }

export const socialQuirks: Record<DocumentedProvider, [SocialQuirk, ...SocialQuirk[]]> = {
  apple: [
    [
      'email_verified is a boolean',
      'github.com/nhost/hasura-auth/issues/599',
      { claims: ({ id }) => ({ sub: id, email, email_verified: true, is_private_email: true }) },
      verified,
    ],
    [
      'email_verified is a text',
      'github.com/nicokaiser/passport-apple/pull/86',
      { claims: ({ id }) => ({ sub: id, email, email_verified: 'false' }) },
      unverified,
    ],
    [
      'the name comes with the first consent only, and not in the id token',
      'github.com/authorizerdev/authorizer/pull/715',
      { callback: (parameters) => delete parameters.user },
      { user: { email, name: email } },
    ],
    [
      'no address in the id token',
      'github.com/patrickbussmann/oauth2-apple/issues/8',
      { claims: ({ id }) => ({ sub: id }) },
      noEmail,
    ],
    [
      'no nonce in the id token: it is not accepted',
      'github.com/authlib/authlib/issues/763 (nonce_supported)',
      { withoutNonce: true },
      noCode,
    ],
  ],
  discord: [
    [
      'an address that is not verified',
      'github.com/deanpcmad/omniauth-discord/issues/13',
      { api: (user) => ({ ...user, verified: false }) },
      unverified,
    ],
    [
      'the field about the verification of the address is missing',
      'github.com/TerribleDev/OwinOAuthProviders/issues/283',
      { api: without('verified') },
      unverified,
    ],
    [
      'an account without an address',
      'github.com/rhombusgg/rhombus/pull/10',
      { api: (user) => ({ ...user, email: null }) },
      noEmail,
    ],
  ],
  facebook: [
    [
      'an account with a phone number, without an address',
      'github.com/simi/omniauth-facebook/issues/61',
      { api: without('email') },
      noEmail,
    ],
    [
      'no expires_in',
      'github.com/restfb/restfb/issues/770',
      { token: without('expires_in') },
      { user: { email }, tokens: { accessTokenExpiresAt: undefined } },
    ],
    [
      'a form as text/plain',
      'github.com/oauthlib/oauthlib/pull/268',
      { token: ({ access_token }) => form({ access_token, expires: '5183944' }, 'text/plain') },
      { user: { email } },
    ],
  ],
  github: [
    [
      'a form',
      'docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
      { token: (answer) => form(answer) },
      { user: { email }, tokens: { scopes: ['read:user', 'user:email'] } },
    ],
    [
      'an error with status 200',
      'github.com/reactivemanifesto/website-manifesto/issues/91',
      { token: () => ({ error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' }) },
      noCode,
    ],
    [
      'a primary address that is not verified',
      'github.com/dailydotdev/daily-api/pull/3910',
      { api: (answer) => (Array.isArray(answer) ? answer.map((one) => ({ ...one, verified: false })) : answer) },
      unverified,
    ],
    [
      'an app without the permission to see addresses',
      'docs.github.com/en/rest/authentication/permissions-required-for-github-apps',
      { api: (answer) => (Array.isArray(answer) ? json({ message: 'Resource not accessible' }, 403) : answer) },
      noEmail,
    ],
    [
      'the tokens of an app expire, and have an empty scope',
      'github.com/better-auth/better-auth/issues/3094',
      {
        grants: () => ({
          ...{ token_type: 'bearer', scope: '', expires_in: 28_800 },
          ...{ refresh_token: true, refresh_token_expires_in: 15_897_600 },
        }),
      },
      { user: { email }, tokens: { accessTokenExpiresAt: text, refreshTokenExpiresAt: text }, refreshes: 2 },
    ],
  ],
  microsoft: [
    [
      'no claim email',
      'github.com/docmost/docmost/pull/2362',
      { claims: ({ id }) => ({ sub: id, tid: tenant, name: 'Mia', preferred_username: email }) },
      noEmail,
    ],
    [
      'neither email_verified nor xms_edov',
      'github.com/screentinker/screentinker/pull/256',
      { claims: ({ id }) => ({ sub: id, tid: tenant, name: 'Mia', email }) },
      unverified,
    ],
    [
      'xms_edov is a text',
      'learn.microsoft.com/entra/identity-platform/optional-claims-reference',
      { claims: ({ id }) => ({ sub: id, tid: tenant, name: 'Mia', email, xms_edov: '1' }) },
      verified,
    ],
    [
      'the issuer has the tenant of a personal account in place of `common`',
      'github.com/nextauthjs/next-auth/issues/8374',
      {
        issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
        claims: ({ id }) => ({ sub: id, tid: '9188040d-6c67-4c5b-b112-36a304b66dad', email }),
      },
      unverified,
    ],
    [
      'the tenant of the issuer is a placeholder: it is not accepted',
      'github.com/coreos/go-oidc/issues/212',
      { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
      noCode,
    ],
  ],
  google: [
    [
      'the issuer without https',
      'github.com/googleapis/google-api-php-client/issues/698',
      { issuer: 'accounts.google.com' },
      verified,
    ],
    [
      'only the first consent returns a refresh token: the stored one stays',
      'github.com/FusionAuth/fusionauth-issues/issues/2374',
      { token: firstOnly('refresh_token'), withoutRotation: true, signIns: 2 },
      { tokens: { refreshToken: text }, refreshes: 2 },
    ],
    [
      'the id token of a refresh has no name',
      'github.com/googleapis/google-api-dotnet-client/issues/1141',
      { claims: nameOnce() },
      { user: { name: 'Gina Oogle' }, refreshes: 1 },
    ],
  ],
  spotify: [
    [
      'no name and no picture',
      'github.com/spotify/web-api/issues/131',
      { api: (user) => ({ ...user, display_name: null, images: [] }) },
      { user: { name: email, image: null, emailVerified: false } },
    ],
    [
      'a refresh returns no refresh token',
      'github.com/librespot-org/librespot/pull/1732',
      { token: firstOnly('refresh_token'), withoutRotation: true },
      { tokens: { refreshToken: text }, refreshes: 2 },
    ],
  ],
  twitch: [
    [
      'scope is a list, also after a refresh',
      'github.com/sergiodxa/remix-auth-oauth2/issues/124, github.com/better-auth/better-auth/pull/9758',
      { token: (answer) => ({ ...answer, scope: ['chat:read', ...answer.scope] }) },
      { user: { email }, tokens: { scopes: ['chat:read', 'user:read:email', 'openid'] }, refreshes: 1 },
    ],
    ['no token_type', 'github.com/justintv/Twitch-API/issues/691', { token: without('token_type') }, verified],
    [
      'an address that is not verified is missing',
      'github.com/twitchdev/issues/issues/791',
      { claims: ({ id }) => ({ sub: id, preferred_username: 'Twi_tch' }) },
      noEmail,
    ],
  ],
  twitter: [
    [
      'no address, because the app has no permission for it',
      'github.com/goauthentik/authentik/issues/18466',
      { api: ({ data }) => ({ data: { ...data, confirmed_email: undefined } }) },
      noEmail,
    ],
    [
      '403 for the profile',
      'github.com/pilcrowonpaper/arctic/issues/44',
      { api: () => json({ title: 'Forbidden', type: 'about:blank', status: 403 }, 403) },
      noProfile,
    ],
    [
      '429 for the profile',
      'docs.x.com/x-api/fundamentals/rate-limits',
      { api: () => json({ status: 429 }, 429) },
      away,
    ],
  ],
  dropbox: [
    [
      'a token without expiry',
      'github.com/HBLL-Collection-Development/omeka-s-any-cloud/issues/29',
      { token: ({ expires_in: _, refresh_token: __, ...answer }) => answer },
      { user: { email }, tokens: { accessTokenExpiresAt: undefined, refreshToken: undefined } },
    ],
    [
      'an address that is not verified, and no picture',
      'github.com/pocketbase/pocketbase/pull/7377',
      { api: ({ profile_photo_url: _, ...account }) => ({ ...account, email_verified: false }) },
      { user: { email, emailVerified: false, image: null } },
    ],
  ],
  kick: [
    [
      'empty texts as name and address',
      'github.com/KickEngineering/KickDevDocs/issues/325',
      { api: ({ data: [user] }) => ({ data: [{ ...user, name: '', email: '' }] }) },
      noEmail,
    ],
    [
      'expires_in is a text, and each refresh replaces the refresh token',
      'docs.kick.com/getting-started/generating-tokens-oauth2-flow',
      {},
      { user: { email }, tokens: { accessTokenExpiresAt: text }, refreshes: 2 },
    ],
  ],
  linkedin: [
    [
      'no token_type',
      'github.com/panva/openid-client/issues/826',
      { token: without('token_type') },
      { user: { email, emailVerified: true }, tokens: { scopes: ['profile', 'email', 'openid'] } },
    ],
    ['no nonce in the id token, which is not read', 'github.com/authlib/authlib/issues/763', {}, verified],
    [
      'neither email_verified nor a picture',
      'github.com/laravel/socialite/pull/725',
      { api: ({ email_verified: _, picture: __, ...user }) => user },
      { user: { email, emailVerified: false, image: null } },
    ],
    ['no address', 'github.com/lucia-auth/lucia/pull/973', { api: without('email') }, noEmail],
  ],
  gitlab: [
    [
      'an instance without confirmation of addresses',
      'github.com/yetone/cumora/pull/87',
      { api: (user) => ({ ...user, confirmed_at: null }) },
      unverified,
    ],
    [
      'a blocked user whose tokens are still valid',
      'github.com/yetone/cumora/pull/87',
      { api: (user) => ({ ...user, state: 'blocked' }) },
      noProfile,
    ],
  ],
  tiktok: [
    [
      'scopes between commas',
      'github.com/pilcrowonpaper/arctic/pull/251',
      {},
      { user: { email }, tokens: { scopes: ['user.info.basic', 'user.info.profile'] }, refreshes: 1 },
    ],
    [
      'an error without an access token, with status 200',
      'github.com/ComposioHQ/composio/pull/3980',
      { token: () => ({ error: 'invalid_client', error_description: 'Client secret is wrong', log_id: '2022' }) },
      noCode,
    ],
    [
      'a profile that the scopes do not cover',
      'developers.tiktok.com/doc/tiktok-api-v2-get-user-info',
      { api: () => json({ data: {}, error: { code: 'scope_not_authorized', message: '' } }, 401) },
      noProfile,
    ],
  ],
  reddit: [
    [
      'the URL of the picture is HTML-escaped',
      'reddit.com/dev/api#response_body_encoding',
      {},
      { user: { name: 'red_dit', image: 'https://styles.example.com/r.png', emailVerified: false } },
    ],
    ['429 for the tokens', 'github.com/dxprog/anime-bracket/issues/14', { token: () => page(429) }, away],
    ['an HTML page with 403', 'github.com/ddevault/RedditSharp/issues/218', { api: () => page(403) }, noProfile],
  ],
  roblox: [
    [
      'a new account has neither a display name nor a picture',
      'github.com/SocialiteProviders/Providers/pull/1192',
      { api: (user) => ({ ...user, nickname: '', picture: null }) },
      { user: { name: 'roblox', image: null } },
    ],
  ],
  vk: [
    [
      'an account with a phone number, without an address',
      'github.com/stevebest/passport-vkontakte/issues/13',
      { api: ({ user }) => ({ user: { ...user, email: '' } }) },
      noEmail,
    ],
    [
      'an error with status 200, in place of tokens',
      'id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-integration/api-description',
      { token: () => ({ error: 'invalid_request', error_description: 'device_id is missing or invalid' }) },
      noCode,
    ],
    [
      'an error with status 200, in place of a profile',
      'id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-integration/api-description',
      { api: () => ({ error: 'invalid_token', error_description: 'access_token is invalid' }) },
      noProfile,
    ],
  ],
  zoom: [
    [
      'no display name',
      'github.com/jrchamp/moodle-mod_zoom/issues/195',
      { api: ({ display_name: _, pic_url: __, ...user }) => user },
      { user: { name: 'Zo Om', image: null } },
    ],
    [
      'no address, because the app lacks a scope',
      'github.com/supabase/supabase/issues/14199',
      { api: without('email') },
      noEmail,
    ],
    [
      'an address that is not verified',
      'github.com/pocketbase/pocketbase/pull/7376',
      { api: (user) => ({ ...user, verified: 0 }) },
      unverified,
    ],
    [
      'the profile is refused, because the app lacks a scope',
      'github.com/giorgosavgeris/passport-zoom-oauth2/issues/3',
      { api: () => json({ code: 4711, message: 'Invalid access token, does not contain scopes' }, 400) },
      noProfile,
    ],
  ],
}

/** The claims of the first id token, and of the next ones. */
function nameOnce(): (person: ProviderPerson) => Json {
  let n = 0
  return ({ id }) => ({ sub: id, email, email_verified: true, ...(n++ === 0 ? { name: 'Gina Oogle' } : {}) })
}
