import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gatehouse } from '../gatehouse.ts'
import type { Env } from '../platform/env.ts'
import { env } from '../testing/harness.ts'
import { brokenDeployment, configurationErrors } from './broken-deployment.ts'
import { type Config, ConfigurationError } from './read-config.ts'

const wrong = { sesion: {}, emailAndPassword: { minPasswordLength: 'long' } } as unknown as Config
const logged = vi.fn()
beforeEach(() => vi.spyOn(console, 'error').mockImplementation(logged))
afterEach(() => {
  vi.restoreAllMocks()
  logged.mockClear()
})

const ask = (deployment: Pick<ReturnType<typeof gatehouse>, 'handler'>, path: string, accept: string) =>
  deployment.handler.fetch(new Request(`http://localhost:8787${path}`, { headers: { accept } }), env, {
    waitUntil: () => {},
  } as unknown as ExecutionContext)

it('a development server answers every request with all errors of the configuration', async () => {
  const deployment = gatehouse(wrong)
  expect(logged.mock.lastCall![0]).toContain('sesion: unknown setting; did you mean session?')
  for (const path of ['/', '/sign-in', '/api/auth/get-session', '/dev/mailbox']) {
    const answer = await ask(deployment, path, 'application/json')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'The configuration has errors',
      hint: expect.stringMatching(/^sesion: unknown setting.*\nemailAndPassword\.minPasswordLength: must be/),
    })
    const shown = await ask(deployment, path, 'text/html,*/*')
    expect(shown.status).toBe(500)
    expect(shown.headers.get('content-type')).toContain('text/html')
    const text = await shown.text()
    expect(text).toContain('sesion: unknown setting')
    expect(text).toContain('emailAndPassword.minPasswordLength')
  }
})

it('names missing bindings, settings and secrets together', () => {
  const { KV, GATEHOUSE_SECRET, ...rest } = env
  expect(configurationErrors(wrong, rest as Env)).toEqual([
    expect.stringMatching(/^KV: is missing/),
    expect.stringMatching(/^sesion: /),
    expect.stringMatching(/^emailAndPassword\.minPasswordLength: /),
    expect.stringMatching(/^GATEHOUSE_SECRET: is missing/),
  ])
})

it('in production a configuration with errors does not start', () => {
  const error = new ConfigurationError('sesion', 'unknown setting')
  expect(brokenDeployment(error, wrong, { ...env, ENVIRONMENT: undefined } as unknown as Env)).toBeNull()
  expect(brokenDeployment(error, wrong, { ...env, ENVIRONMENT: 'production' } as unknown as Env)).toBeNull()
  expect(brokenDeployment(new Error('defect'), wrong, env)).toBeNull()
})
