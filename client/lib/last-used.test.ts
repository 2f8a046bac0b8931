import { afterEach, expect, it, vi } from 'vitest'
import { atProvider, lastUsed, lastUseOf } from './last-used.ts'
import { idOfMethod } from './methods.ts'

afterEach(() => vi.unstubAllGlobals())

const listed = [
  { method: atProvider('google'), lastUsedAt: new Date(3) },
  { method: 'username' as const, lastUsedAt: new Date(2) },
  { method: 'email' as const, lastUsedAt: new Date(1) },
]

it('finds the last use of a provider by its id, and of a way with several methods the newest', () => {
  expect(lastUseOf(listed, [atProvider('google')])).toEqual(new Date(3))
  expect(lastUseOf(listed, [atProvider('github')])).toBeUndefined()
  expect(lastUseOf(listed, ['email', 'username'])).toEqual(new Date(2))
})

it.each([
  ['phone-number', 'phone-otp'],
  ['access-identity', 'cloudflare-access'],
  ['one-tap', 'google'],
  ['password', 'password'],
  ['acme-id', 'acme-id'],
])('what an earlier version has stored in the browser as %s is %s', (stored, present) => {
  vi.stubGlobal('localStorage', { getItem: () => stored })
  expect(lastUsed.get()).toBe(present)
})

it('texts have connections as sso, and what a Worker of an earlier version writes after the migration by the present id', () => {
  expect(['sso-c1', 'email-code', 'phone-code', 'provider:google', 'google', 'email'].map(idOfMethod)).toEqual([
    ...['sso', 'email-otp', 'phone-otp', 'google', 'google', 'email'],
  ])
})
