import { describe, expect, it } from 'vitest'
import { decodeSessionCache, encodeSessionCache } from '../identity/sessions/session-cache.ts'
import { chunkCookie, joinCookie } from './cookie-chunks.ts'
import { parseCookies, serializeCookie, signValue, unsignValue } from './cookies.ts'
import { open, seal } from './encrypt.ts'
import { codeOf } from './errors.ts'
import { equalSecrets, hmac } from './hash.ts'
import { mergeOptions } from './options.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { alphabets, randomDigits, randomString } from './random.ts'
import { days, hours, inWords, minutes } from './time.ts'
import { canonicalPath, isRelativePath, matchesOrigin, originOf, withQuery } from './urls.ts'

const wireSecret = 'wire-secret-0123456789-0123456789-ab'

describe('cookies', () => {
  it('are signed with their name, under a key of their own', () => {
    const value = 'abcdefghijklmnopqrstuvwxyzABCDEF'
    const signed = signValue([wireSecret], 'session_token', value)
    expect(signed).toMatch(new RegExp(`^${value}\\.[A-Za-z0-9+/]{43}=$`))
    expect(unsignValue([wireSecret], 'session_token', signed)).toBe(value)
    expect(unsignValue([wireSecret], 'two_factor', signed)).toBeNull()
    // Not the HMAC of the value or of the pair with the secret as key, which other purposes may compute.
    expect(signed).not.toContain(hmac(wireSecret, value, 'base64'))
    expect(signed).not.toContain(hmac(wireSecret, `session_token=${value}`, 'base64'))
  })

  it('that the protocol signed are valid until their secret is retired', () => {
    const value = 'abcdefghijklmnopqrstuvwxyzABCDEF'
    const signed = decodeURIComponent(`${value}.vDksG5zG4QG1WTbM11XaCvsm6yCJb5XTaPy8Yjzt5co%3D`)
    expect(unsignValue([wireSecret], 'session_token', signed)).toBe(value)
    expect(unsignValue(['the-next-secret', wireSecret], 'session_token', signed)).toBe(value)
    expect(unsignValue(['the-next-secret'], 'session_token', signed)).toBeNull()
  })

  it('open with an earlier secret, and not with another one', () => {
    const signed = signValue(['old-secret'], 'name', 'value')
    expect(unsignValue(['new-secret', 'old-secret'], 'name', signed)).toBe('value')
    expect(unsignValue(['new-secret'], 'name', signed)).toBeNull()
    for (const bad of [undefined, '', '.', 'value', 'value.', `.${signed}`]) {
      expect(unsignValue(['old-secret'], 'name', bad)).toBeNull()
    }
  })

  it('session data is signed as the protocol signs it', () => {
    const data = { session: { id: 's1', token: 't1' }, user: { id: 'u1' } }
    const text = encodeSessionCache(wireSecret, JSON.stringify(data), 1750000000000)
    const decoded = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    expect(decoded.signature).toBe('3577zh4hhvOuxBwtvATKAex37jZEYUejwCaLWH3Vxos')
    expect(decodeSessionCache([wireSecret], text, 1749999999999)).toBe(JSON.stringify(data))
    expect(decodeSessionCache([wireSecret], text, 1750000000000)).toBeNull()
  })

  it('an unreadable cookie is ignored', () => {
    expect(parseCookies(null)).toEqual({})
    expect(parseCookies('a=1; b; =c; d="q"; e=%41')).toMatchObject({ a: '1', d: 'q', e: 'A' })
    expect(() => parseCookies('a=%E0%A4%A; \u0000=1')).not.toThrow()
  })

  it('are cut at the cap and joined again', () => {
    const value = 'v'.repeat(10_000)
    const pieces = chunkCookie('name', value)
    expect(pieces.length).toBe(3)
    expect(joinCookie(Object.fromEntries(pieces), 'name')).toBe(value)
    expect(chunkCookie('name', 'v'.repeat(4088))).toHaveLength(1)
    expect(chunkCookie('name', 'v'.repeat(4089))).toHaveLength(2)
    expect(joinCookie({}, 'name')).toBeUndefined()
  })

  it('carry the attributes', () => {
    expect(serializeCookie('n', 'a=b', { maxAge: 5, secure: true, domain: 'example.com' })).toBe(
      'n=a%3Db; Max-Age=5; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
  })
})

describe('passwords', () => {
  it('are stored as hex salt, colon, hex key, and verified', () => {
    const stored = hashPassword('correct horse')
    expect(stored).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect(verifyPassword('correct horse', stored)).toBe(true)
    expect(verifyPassword('correct horsf', stored)).toBe(false)
    expect(hashPassword('correct horse')).not.toBe(stored)
  })

  it('are normalized, so that one keyboard writes what another did', () => {
    expect(verifyPassword('caf\u00e9-au-lait', hashPassword('cafe\u0301-au-lait'))).toBe(true)
  })

  it('match nothing malformed', () => {
    for (const stored of ['', ':', 'abc', 'abc:', 'abc:zz']) expect(verifyPassword('x', stored)).toBe(false)
  })
})

describe('sealing', () => {
  it('opens with the newest and an earlier secret, and fails when altered', async () => {
    const sealed = await seal(['first-secret'], 'a token')
    expect(sealed).not.toContain('a token')
    expect(await open(['second-secret', 'first-secret'], sealed)).toBe('a token')
    await expect(open(['second-secret'], sealed)).rejects.toThrow()
    await expect(open(['first-secret'], `${sealed.slice(0, -3)}AAA`)).rejects.toThrow()
  })
})

describe('random strings', () => {
  it('have the length and the alphabet, every character about as often', () => {
    expect(randomString(32, alphabets.letters)).toMatch(/^[A-Za-z]{32}$/)
    expect(randomDigits(6)).toMatch(/^\d{6}$/)
    const counts = new Map<string, number>()
    for (const digit of randomDigits(20_000)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    expect(counts.size).toBe(10)
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(300)
  })
})

describe('codes of messages', () => {
  it.each([
    ["Couldn't update your email", 'COULDNT_UPDATE_YOUR_EMAIL'],
    ['invalid_token', 'INVALID_TOKEN'],
    ['username is already taken. please try another.', 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER'],
  ])('%s', (message, code) => {
    expect(codeOf(message)).toBe(code)
  })
})

describe('secrets', () => {
  it('are compared whole', () => {
    expect(equalSecrets('abc', 'abc')).toBe(true)
    for (const other of ['abd', 'ab', 'abcd', '']) expect(equalSecrets('abc', other)).toBe(false)
  })
})

describe('origins', () => {
  it.each([
    ['https://a.example.com/path?x', 'https://a.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://user:pass@example.com', null],
    ['javascript:alert(1)', null],
    ['ftp://example.com', null],
    ['null', null],
    ['', null],
  ])('of %s', (text, origin) => {
    expect(originOf(text)).toBe(origin)
  })

  it.each([
    ['https://app.example.com', 'https://app.example.com', true],
    ['https://app.example.com', 'https://*.example.com', true],
    ['https://a.b.example.com', '*.example.com', true],
    ['http://app.example.com', '*.example.com', true],
    ['http://app.example.com', 'https://*.example.com', false],
    ['https://example.com', 'https://*.example.com', false],
    ['https://evilexample.com', 'https://*.example.com', false],
    ['https://app.example.com.evil.org', 'https://*.example.com', false],
    ['https://app.example.com:444', 'https://app.example.com', false],
    ['https://app.example.com:444', 'https://*.example.com', false],
    ['https://preview-7.pages.dev', 'https://*.pages.dev', true],
  ])('%s against %s', (origin, pattern, matches) => {
    expect(matchesOrigin(origin, pattern)).toBe(matches)
  })

  it.each(['/', '/dashboard', '/a?b=c&d=%20', '/a#b', '/@me', '/ümlaut'])('%s is a path of ours', (path) => {
    expect(isRelativePath(path)).toBe(true)
  })

  it.each([
    '//evil.org',
    '/\\evil.org',
    '/.//evil.org',
    '/x/..//evil.org',
    '/x/%2e%2e/%2f/evil.org',
    '/x/../%5cevil.org',
    '/%2e//evil.org',
    '/%2Fevil.org',
    '/%5cevil.org',
    '/\tevil',
    '/a\\b',
    '\n/a',
    'a',
    '',
    'https://x',
    '/\u0000',
  ])('%j is not a path of this origin', (path) => {
    expect(isRelativePath(path)).toBe(false)
  })

  it('parameters are added behind what is there', () => {
    expect(withQuery('/v?x=1#top', { error: 'a b' })).toBe('/v?x=1&error=a%20b#top')
    expect(withQuery('https://x.example/v', { a: undefined })).toBe('https://x.example/v')
  })

  it.each([
    ['/api/auth/ok', '/api/auth/ok'],
    ['//api///auth/ok/', '/api/auth/ok'],
    ['/api/auth/%6f%6B', '/api/auth/ok'],
    ['/api/auth/a%2Fb', null],
    ['/api/auth/%2e%2e/ok', null],
    ['/api/auth/%5Cok', null],
    ['/api/auth/%00', null],
    ['/api/auth/%zz', null],
  ])('the canonical form of %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical)
  })
})

describe('options', () => {
  it('are laid over each other, object by object', () => {
    const base = { a: { b: 1, c: [1, 2] }, d: null as string | null }
    expect(mergeOptions(base, { a: { c: [3] }, d: 'x' })).toEqual({ a: { b: 1, c: [3] }, d: 'x' })
    expect(mergeOptions(base, undefined)).toBe(base)
    mergeOptions(base, JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('inWords', () => {
  it.each([
    [minutes(5), '5 minutes', '5 Minuten'],
    [hours(1), '1 hour', '1 Stunde'],
    [minutes(90), '90 minutes', '90 Minuten'],
    [days(2), '2 days', '2 Tage'],
    [45, '45 seconds', '45 Sekunden'],
  ])('%d seconds are %s, and %s', (duration, english, german) => {
    expect({ english: inWords(duration, 'en'), german: inWords(duration, 'de') }).toEqual({ english, german })
  })
})
