import { beforeEach, expect, it, vi } from 'vitest'
import { forgetPendingEmail, pendingEmail, rememberPendingEmail } from './pending-email.ts'

const user = { id: 'u1', email: 'old@example.com' }

beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
  })
})

it('is remembered for one person for an hour', () => {
  rememberPendingEmail('u1', 'new@example.com', 0)
  expect(pendingEmail(user, 3_599_999)).toBe('new@example.com')
  expect(pendingEmail(user, 3_600_000)).toBeNull()
  expect(pendingEmail({ ...user, id: 'u2' }, 1)).toBeNull()
})

it('is over when the address has changed, or when it is forgotten', () => {
  rememberPendingEmail('u1', 'new@example.com', 0)
  expect(pendingEmail({ id: 'u1', email: 'new@example.com' }, 1)).toBeNull()
  forgetPendingEmail('u1')
  expect(pendingEmail(user, 1)).toBeNull()
})

it('survives a storage that holds nonsense', () => {
  localStorage.setItem('pendingEmail:u1', '{"email":')
  expect(pendingEmail(user, 1)).toBeNull()
})
