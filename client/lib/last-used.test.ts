import { expect, it } from 'vitest'
import { atProvider, lastUseOf } from './last-used.ts'

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
