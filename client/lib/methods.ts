import { connectionPrefix } from '../../worker/kit/connection-id.ts'
import { presentId } from '../../worker/kit/earlier-ids.ts'

/** What a Worker of an earlier version may have written after the migration to the present ids. */
const earlier = { 'email-code': 'email-otp', 'phone-code': 'phone-otp' } as const

/** The id under which texts have a method of a session or of the sign-in log: each connection is `sso`. */
export const idOfMethod = (method: string): string =>
  method.startsWith(connectionPrefix) ? 'sso' : presentId(earlier, method.replace(/^provider:/, ''))
