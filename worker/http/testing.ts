import type { Hono } from 'hono'
import type { Scope } from '../identity/scope.ts'
import type { Env } from '../platform/env.ts'
import { answerRequest } from './answer-request.ts'
import { readBody } from './body.ts'
import { httpErrors } from './http.errors.ts'
import { answerJson } from './json-response.ts'
import type { Runtime } from './open-scope.ts'

/** One act of a test: its validated input is its own matter. */
export type TestingOperation = (scope: Scope, input: unknown, deployment: TestedDeployment) => Promise<unknown>

export interface TestedDeployment {
  runtime: Runtime
  env: Env
  context: ExecutionContext
}

const ownMachine = /^(?:localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/

/**
 * POST /dev/testing/<operation>, for gatehouse-auth/testing. These paths exist only in development and with TESTING=on,
 * which production refuses at start; they accept only requests to this machine, and none of a browser.
 */
// biome-ignore lint/suspicious/noExplicitAny: the paths do not use the types of the application
export function mountTesting(hono: Hono<any>, runtime: Runtime, operations: Record<string, TestingOperation>): void {
  for (const [name, operation] of Object.entries(operations)) {
    hono.post(`/dev/testing/${name}`, async (c) => {
      const { raw: request, path } = c.req
      const deployment = { runtime, env: c.env as Env, context: c.executionCtx as ExecutionContext }
      await runtime.loader.load('all')
      return answerRequest({ request, path, ...deployment }, async (scope) => {
        refuseOthers(request)
        return answerJson(await operation(scope, await readBody(request, false), deployment))
      })
    })
  }
}

/** A page in the developer's browser must not sign in as a user. Browsers add an Origin to each POST. */
function refuseOthers(request: Request): void {
  const isOfBrowser = request.headers.has('origin') || request.headers.has('sec-fetch-site')
  if (isOfBrowser || !ownMachine.test(new URL(request.url).hostname)) throw httpErrors.FORBIDDEN()
}
