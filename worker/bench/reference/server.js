import { WorkerEntrypoint } from 'cloudflare:workers'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { apiKey, organization } from 'better-auth/plugins'
import { jwt } from 'better-auth/plugins/jwt'
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
    plugins: [jwt(), apiKey(), organization()],
  })

let shared

const authOf = (env) => {
  if (env.INSTANCE !== 'isolate') return create(env)
  shared ??= create(env)
  return shared
}

/** What another Worker asks over a service binding. */
export class ServerApi extends WorkerEntrypoint {
  verifyApiKey(body) {
    return authOf(this.env).api.verifyApiKey({ body })
  }
}

/** One instance for each request, which is how it is set up on Workers, or with INSTANCE=isolate one for all. */
export default {
  async fetch(request, env) {
    const answer = await authOf(env).handler(request)
    // The session of a key is answered as a bare object.
    return answer instanceof Response ? answer : Response.json(answer)
  },
}
