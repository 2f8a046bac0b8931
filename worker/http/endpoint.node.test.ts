import { expect, it } from 'vitest'
import * as z from 'zod'
import { auditContextOf } from './audit.ts'
import { post } from './endpoint.ts'

const declared = { summary: 'A test', access: 'session', answer: z.object({}), errors: [], budget: {} } as const

it('an endpoint that changes something states its action in the audit log, or that it has none', () => {
  const reading = post('/read', { ...declared, changes: [] })
  const beginning = post('/begin', { ...declared, changes: ['verification'] })
  const changing = post('/change', { ...declared, changes: ['user'], audit: 'update-user' })
  const counting = post('/count', { ...declared, changes: ['setup-link'], audit: null })
  // @ts-expect-error The action is missing.
  post('/forgotten', { ...declared, changes: ['user'] })
  // @ts-expect-error The action is not one of kit/audit-actions.ts.
  post('/unknown', { ...declared, changes: ['user'], audit: 'unknown' })
  expect([reading, beginning, changing, counting].map((one) => auditContextOf(one).action)).toEqual([
    ...[null, null],
    ...['update-user', null],
  ])
})
