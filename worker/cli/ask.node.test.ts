import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { readSecret } from './ask.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

function terminal(isTTY: boolean) {
  const [input, output] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY }))
  let shown = ''
  output!.on('data', (chunk) => (shown += chunk))
  return { input: input!, output: output!, shown: () => shown }
}

it('comes from the environment, without a question', async () => {
  vi.stubEnv('SOME_SECRET', 'from-the-environment')
  const asked = terminal(true)
  expect(await readSecret('SOME_SECRET', 'Secret', asked)).toBe('from-the-environment')
  expect(asked.shown()).toBe('')
})

it('is asked for on a terminal, and not shown', async () => {
  const asked = terminal(true)
  const reading = readSecret('SOME_SECRET', 'Secret of the old deployment', asked)
  asked.input.write('typed-secret\n')
  expect(await reading).toBe('typed-secret')
  expect(asked.shown()).toContain('Secret of the old deployment (SOME_SECRET): ')
  expect(asked.shown()).not.toContain('typed-secret')
})

it('returns null without a terminal', async () => {
  expect(await readSecret('SOME_SECRET', 'Secret', terminal(false))).toBeUndefined()
})
