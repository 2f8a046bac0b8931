import { createAuthenticator } from '../../client/sdk/authenticator/authenticator.ts'
import { startServer } from '../testing/server.ts'
import { quantile } from './load.ts'

/**
 * Measures how long after a sign-out a product accepts the JWT of the session. The product and the deployment are two
 * processes; each asks the product's authenticator every 20 ms. Run with `node worker/bench/revocation.ts`.
 */
const people = 60
/** Milliseconds; the promise. */
const limit = 5000

const server = await startServer()
try {
  const { url } = server
  const auth = createAuthenticator({ url })
  const headers = { 'content-type': 'application/json', origin: url }
  const checks: number[] = []

  async function check(authorization: string): Promise<boolean> {
    const at = performance.now()
    const caller = await auth.authenticate({
      url: 'http://localhost:3000/',
      method: 'GET',
      headers: new Headers({ authorization }),
    })
    checks.push(performance.now() - at)
    return caller !== null
  }

  async function signUp(n: number) {
    const body = JSON.stringify({ name: 'Bench', email: `revocation${n}@example.com`, password: 'password of a bench' })
    const answer = await fetch(`${url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { token } = (await (await fetch(`${url}/api/auth/token`, { headers: { cookie } })).json()) as {
      token: string
    }
    return { cookie, authorization: `Bearer ${token}` }
  }

  /** Signs out at a random moment of the authenticator's interval. @returns ms until the JWT is refused */
  async function revoke({ cookie, authorization }: Awaited<ReturnType<typeof signUp>>): Promise<number> {
    if (!(await check(authorization))) throw new Error('a JWT of a session is refused')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4000))
    const answer = await fetch(`${url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: '{}',
    })
    if (!answer.ok) throw new Error(`sign-out: ${answer.status}`)
    const at = performance.now()
    while (await check(authorization)) {
      if (performance.now() - at > 2 * limit) return Number.POSITIVE_INFINITY
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return performance.now() - at
  }

  const sessions = []
  for (let n = 0; n < people; n++) sessions.push(await signUp(n))
  const times = await Promise.all(sessions.map(revoke))
  const print = (numbers: number[], digits: number) =>
    [0.5, 0.99, 1].map((share) => quantile(numbers, share).toFixed(digits)).join(' / ')
  console.log(`\n${people} sign-outs: a JWT is refused after (ms) p50 / p99 / max: ${print(times, 0)}`)
  console.log(`${checks.length} checks of a JWT in the product (ms) p50 / p99 / max: ${print(checks, 2)}\n`)
  console.log(`later than ${limit} ms: ${times.filter((time) => time > limit).length}`)
} finally {
  await server.close()
}
