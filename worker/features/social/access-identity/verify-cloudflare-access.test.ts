import { errors } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { foreignTimes, fromNow } from '../../../testing/foreign-times.ts'
import { AccessTeam, accessHeader } from '../../../testing/outside/access-team.ts'
import { alice } from '../../../testing/people.ts'
import {
  CloudflareAccessError,
  type CloudflareAccessOptions,
  verifyCloudflareAccess,
} from './verify-cloudflare-access.ts'

let team: AccessTeam
beforeEach(() => {
  team = new AccessTeam().install()
})
afterEach(() => vi.restoreAllMocks())

const check = (token: string, options: CloudflareAccessOptions = AccessTeam.config) =>
  verifyCloudflareAccess({ headers: new Headers(token ? { [accessHeader]: token } : {}) }, options)
const signed = (changes: object) => team.sign({ ...team.claims(alice.email), ...changes })
const now = Math.floor(Date.now() / 1000)

describe('verifyCloudflareAccess of gatehouse-auth/server', () => {
  it('returns the user or the service of a request, with the published keys', async () => {
    const claims = team.claims(alice.email)
    expect(await check(await team.sign(claims))).toEqual({
      ...{ kind: 'user', subject: claims.sub, email: alice.email, expiresAt: claims.exp, claims },
    })
    expect(await check(await team.sign(team.serviceClaims()))).toMatchObject({
      ...{ kind: 'service', subject: 'e367826f93b8d71185e03fe518aff3b4.access', email: null },
    })
    expect(team.asked).toBeLessThanOrEqual(1)
  })

  it.each<[string, () => Promise<string>]>([
    ['no token', async () => ''],
    ['no JWT', async () => 'a.b.c'],
    ['another application', () => signed({ aud: ['f'.repeat(64)] })],
    ['an audience beside ours', () => signed({ aud: [AccessTeam.config.audience, 'f'.repeat(64)] })],
    ['another team', () => signed({ iss: 'https://other.cloudflareaccess.com' })],
    ['an expired token', () => signed({ exp: now - 60 })],
    ['no expiry', () => signed({ exp: undefined })],
    ['the session at the team', () => signed({ type: 'org' })],
    ['no subject', () => signed({ sub: undefined })],
    ['no address', () => signed({ email: undefined })],
    ['a changed claim', async () => `${(await signed({})).slice(0, -8)}AAAAAAAA`],
  ])('refuses %s', async (_what, token) => {
    await expect(check(await token())).rejects.toBeInstanceOf(CloudflareAccessError)
  })

  it.each(foreignTimes)('a clock that differs: a token that is %s', async (_what, times, isAccepted) => {
    const outcome = check(await signed(fromNow(times))).then(
      () => true,
      () => false,
    )
    expect(await outcome).toBe(isAccepted)
  })

  it('an error of the team is not reported as one of the request', async () => {
    const keys = () => Promise.reject(new errors.JWKSTimeout())
    await expect(check(await signed({}), { ...AccessTeam.config, keys })).rejects.toBeInstanceOf(errors.JWKSTimeout)
  })
})
