import { expect, it, vi } from 'vitest'
import { Fault } from '../kit/errors.ts'
import { noteError } from './answer-error.ts'

it.each([
  ['an unexpected error', new Error('D1_ERROR: no such table: users')],
  ['a fault', new Fault('database', new Error('D1_ERROR: no such column: active_team_id'))],
])('%s of a database without the current migrations is logged with the command that applies them', (_what, thrown) => {
  const log = vi.fn()
  noteError(thrown, log)
  expect(log).toHaveBeenCalledWith(
    'error',
    expect.any(String),
    expect.objectContaining({ advice: expect.stringContaining('npx wrangler d1 migrations apply DB') }),
  )
})

it('other errors are logged without it', () => {
  const log = vi.fn()
  noteError(new Error('boom'), log)
  expect(log.mock.calls[0]![2]).not.toHaveProperty('advice')
})
