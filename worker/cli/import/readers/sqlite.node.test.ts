import { expect, it, vi } from 'vitest'
import { quietly } from './sqlite.ts'

it('the import of SQLite leaves out its own warning only', async () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const before = process.emitWarning
  await quietly(async () => {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('Another is an experimental feature', 'ExperimentalWarning')
    process.emitWarning('a deprecation of SQLite', 'DeprecationWarning', 'DEP1')
  })
  expect(emitted.mock.calls).toEqual([
    ['Another is an experimental feature', 'ExperimentalWarning'],
    ['a deprecation of SQLite', 'DeprecationWarning', 'DEP1'],
  ])
  expect(process.emitWarning).toBe(before)
  await expect(quietly(() => Promise.reject(new Error('no module')))).rejects.toThrow('no module')
  expect(process.emitWarning).toBe(before)
})
