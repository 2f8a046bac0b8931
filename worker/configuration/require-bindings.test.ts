import { expect, it } from 'vitest'
import type { Env } from '../platform/env.ts'
import { env } from '../testing/harness.ts'
import { requireBindings } from './require-bindings.ts'

it('names each missing binding in a line, before the first request', () => {
  expect(() => requireBindings(env)).not.toThrow()
  const { KV, COUNTER, ...others } = env
  expect(() => requireBindings(others as Env)).toThrow(
    'KV: is missing; bind a KV namespace in wrangler.toml\nCOUNTER: is missing; bind the Durable Object Counter in wrangler.toml',
  )
})
