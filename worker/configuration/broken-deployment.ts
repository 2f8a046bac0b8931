import { WorkerEntrypoint } from 'cloudflare:workers'
import { html } from 'hono/html'
import { secure } from '../http/json-response.ts'
import { page } from '../http/pages/page.ts'
import type { Env } from '../platform/env.ts'
import { type Config, ConfigurationError, readConfig } from './read-config.ts'
import { requireBindings } from './require-bindings.ts'

/** All errors of the bindings, the configuration and the secrets, one line each. A single check stops at its first one. */
export function configurationErrors(config: Config, env: Env): string[] {
  const checks = [
    () => requireBindings(env),
    () => readConfig(config, env),
    // The variables and secrets, which are read after the settings.
    () => readConfig({}, env),
  ]
  return [...new Set(checks.flatMap(linesOf))]
}

function linesOf(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return thrown.message.split('\n')
    throw thrown
  }
}

const style = `
  body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
    color-scheme: light dark; background: light-dark(#f7f7f5, #161615); color: light-dark(#1c1c1a, #ededea); }
  h1 { font-size: 1.25rem; }
  li { margin: .5rem 0; }
  code { font-size: .9375rem; }
`

const errorPage = (errors: readonly string[]) =>
  String(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The configuration has errors</title>
<style>${style}</style>
<h1>The configuration has errors</h1>
<p>Correct them, then reload this page. The development server reads the files again after each change; after a change of .dev.vars, start it again.</p>
<ul>${errors.map((line) => html`<li><code>${line}</code></li>`)}</ul>
<p><code>npx gatehouse-auth doctor</code> names the lines to add.</p>
</html>
`)

/** The answer of a development server to every request: a page for browsers, JSON for everything else. */
export function answerErrors(request: Request, errors: readonly string[]): Response {
  const answer = request.headers.get('accept')?.includes('text/html')
    ? page(errorPage(errors), 500)
    : Response.json(
        { code: 'INTERNAL_SERVER_ERROR', message: 'The configuration has errors', hint: errors.join('\n') },
        { status: 500 },
      )
  return secure(answer, false)
}

interface BrokenDeployment {
  handler: { fetch(request: Request): Promise<Response>; scheduled(): void; queue(): Promise<void> }
  ServerApi: new (context: ExecutionContext, bindings: Cloudflare.Env) => object
}

/**
 * The exports of a development server whose configuration has errors: an exception at the start would end wrangler and hide
 * the reason. @returns null in production, where an invalid deployment must not start
 */
export function brokenDeployment(thrown: unknown, config: Config, env: Env): BrokenDeployment | null {
  if (!(thrown instanceof ConfigurationError) || env.ENVIRONMENT !== 'development') return null
  const found = configurationErrors(config, env)
  const errors = found.length > 0 ? found : thrown.message.split('\n')
  const text = `The configuration has errors:\n${errors.map((line) => `  ${line}`).join('\n')}`
  console.error(text)
  return {
    handler: {
      fetch: async (request: Request) => answerErrors(request, errors),
      scheduled: () => undefined,
      // The queue delivers the jobs again.
      queue: async () => {
        throw new Error(text)
      },
    },
    /** Every call is rejected with the errors. */
    ServerApi: class extends WorkerEntrypoint {
      constructor(context: ExecutionContext, bindings: Cloudflare.Env) {
        super(context, bindings)
        throw new Error(text)
      }
    },
  }
}
