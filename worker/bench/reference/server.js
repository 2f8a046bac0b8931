import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
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
    plugins: [jwt()],
  })

let shared

/** One instance for each request, which is how it is set up on Workers, or with INSTANCE=isolate one for all. */
export default {
  fetch(request, env) {
    if (env.INSTANCE !== 'isolate') return create(env).handler(request)
    shared ??= create(env)
    return shared.handler(request)
  },
}
