import { type Answer, type Device, origin } from '../harness.ts'
import type { Callback, OAuthProvider } from './oauth-provider.ts'

/** Starts a sign-in at a provider and walks through its page. @returns the callback of the browser */
export async function startAt(
  device: Device,
  provider: OAuthProvider,
  more: Record<string, unknown> = {},
  path = '/sign-in/social',
): Promise<Callback> {
  const { id } = provider.documentation
  const name = path.includes('oauth2') ? { providerId: id } : { provider: id }
  const started = await device.post(path, { ...name, callbackURL: '/dash', errorCallbackURL: '/err', ...more })
  if (started.status !== 200) throw new Error(`${path} answered ${started.status} ${JSON.stringify(started.body)}`)
  return provider.authorize(started.body.url)
}

/** Sends the callback of the browser: GET for most providers, a form for Apple. */
export async function comeBack(device: Device, { method, path, parameters }: Callback): Promise<Answer> {
  if (method === 'GET') return device.get(path, { query: parameters })
  const posted = await device.post(path, new URLSearchParams(parameters).toString(), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://provider.example.com',
      cookie: '',
    },
  })
  return device.get(posted.headers.get('location')!)
}

export const walk = async (
  device: Device,
  provider: OAuthProvider,
  more: Record<string, unknown> = {},
): Promise<Answer> => comeBack(device, await startAt(device, provider, more))

export const locationOf = (answer: Answer): string | null => answer.headers.get('location')

/** The redirect for an error that the caller's own page shows. */
export const errorAt = (code: string): string => `${origin}/err?error=${code}`

/** The redirect for any other error. */
export const errorPage = (code: string): string => `${origin}/api/auth/error?error=${code}`
