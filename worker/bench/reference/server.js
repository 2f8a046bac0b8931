import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { apiKey } from 'better-auth/plugins'
import { drizzle } from 'drizzle-orm/d1'
import * as schema from './schema.js'

const create = ({ DB, SECRET, BASE_URL }) =>
  betterAuth({
    database: drizzleAdapter(drizzle(DB, { schema }), { provider: 'sqlite', schema }),
    secret: SECRET,
    baseURL: BASE_URL,
    emailAndPassword: { enabled: true },
    session: { cookieCache: { enabled: true, maxAge: 300 } },
    rateLimit: { enabled: false },
    plugins: [apiKey()],
  })

let shared

/** One instance for each request, which is how it is set up on Workers, or with INSTANCE=isolate one for all. */
export default {
  async fetch(request, env) {
    if (env.INSTANCE === 'isolate') shared ??= create(env)
    const auth = env.INSTANCE === 'isolate' ? shared : create(env)
    // A server's own call, as other code in its process makes it.
    if (new URL(request.url).pathname === '/verifyApiKey') {
      return Response.json(await auth.api.verifyApiKey({ body: await request.json() }))
    }
    const answer = await auth.handler(request)
    // The session of a key is answered as a bare object.
    return answer instanceof Response ? answer : Response.json(answer)
  },
}
