import type { Scope } from '../../identity/scope.ts'
import type { ContentSources, Feature } from '../feature.ts'
import { appPaths } from './app-paths.generated.ts'

/** What every page of the app may load; features that are on add their own sources. */
const own = {
  script: ["'self'"],
  style: ["'self'"],
  connect: ["'self'"],
  frame: [],
  // People's pictures may be anywhere.
  img: ["'self'", 'https:', 'data:'],
} satisfies Required<ContentSources>

/** The app's Content Security Policy: no inline script, and no source but ourselves and those that features name. */
function policyOf(features: readonly Feature[], scope: Scope): string {
  const added = features.flatMap(({ contentSources }) => contentSources?.(scope) ?? [])
  const sources = (directive: keyof typeof own) =>
    [...new Set([...own[directive], ...added.flatMap((one) => one[directive] ?? [])])].join(' ') || "'none'"
  return [
    "default-src 'self'",
    `script-src ${sources('script')}`,
    `style-src ${sources('style')}`,
    `img-src ${sources('img')}`,
    "font-src 'self'",
    `connect-src ${sources('connect')}`,
    `frame-src ${sources('frame')}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

const screens = appPaths.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))

/** What is meant to be a file, such as a script of an earlier version, is no screen. */
const isFile = (path: string) => path.startsWith('/assets/') || /\.[a-z0-9]+$/i.test(path)

/**
 * The answer to an address that neither the API nor a file has: the app's page, which is 404 where the app has no
 * such screen, and nothing but 404 for a file that is not there.
 */
export async function appPage(scope: Scope, path: string, features: readonly Feature[]): Promise<Response> {
  if (isFile(path)) return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } })
  const page = await scope.env.ASSETS.fetch(new Request(new URL('/', scope.settings.baseUrl)))
  const answer = new Response(page.body, {
    status: screens.some((screen) => screen.test(path)) ? 200 : 404,
    headers: page.headers,
  })
  answer.headers.set('content-security-policy', policyOf(features, scope))
  answer.headers.set('cache-control', 'no-cache')
  return answer
}
