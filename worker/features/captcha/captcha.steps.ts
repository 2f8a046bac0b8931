import type { Scope } from '../../identity/scope.ts'
import { catalogue, Fault } from '../../kit/errors.ts'
import { howToSet } from '../../kit/how-to-set.ts'
import { captchaOptions, defaultEndpoints } from './captcha.config.ts'
import { captchaProviders, captchaRequestOf, readVerdict } from './providers.ts'

const errors = catalogue({
  MISSING_CAPTCHA_RESPONSE: [400, 'Missing CAPTCHA response'],
  CAPTCHA_VERIFICATION_FAILED: [403, 'Captcha verification failed'],
  /** The secret key is missing, or the provider does not respond. The log contains the reason. */
  SOMETHING_WENT_WRONG: [500, 'Something went wrong'],
})

/** Longer than the response of any provider. */
const maxResponseBytes = 16_384

const covers = (endpoint: string, path: string): boolean =>
  endpoint.endsWith('*') ? path.startsWith(endpoint.slice(0, -1)) : path === endpoint

/** Requires the answer of a widget for a guarded path, and the provider's confirmation of it. */
export async function requireCaptcha(scope: Scope): Promise<void> {
  const { endpoints } = captchaOptions.of(scope)
  const guarded = endpoints.length > 0 ? endpoints : defaultEndpoints
  const path = scope.request.path.toLowerCase()
  if (!guarded.some((endpoint) => covers(endpoint.toLowerCase(), path))) return
  const response = scope.request.headers.get('x-captcha-response')
  if (!response) throw errors.MISSING_CAPTCHA_RESPONSE()
  if (response.length > maxResponseBytes) throw errors.CAPTCHA_VERIFICATION_FAILED()
  if (!(await ask(scope, response))) throw errors.CAPTCHA_VERIFICATION_FAILED()
}

/** @throws SOMETHING_WENT_WRONG if the provider is unreachable: a failing check rejects every request */
async function ask(scope: Scope, response: string): Promise<boolean> {
  const { provider, siteKey, secretKey, minScore, siteVerifyURLOverride, timeout } = captchaOptions.of(scope)
  const facts = captchaProviders[provider!]
  const secret = secretKey || scope.env.CAPTCHA_SECRET_KEY
  if (!secret)
    throw errors.SOMETHING_WENT_WRONG({ detail: `CAPTCHA_SECRET_KEY is missing; ${howToSet('CAPTCHA_SECRET_KEY')}` })
  const question = captchaRequestOf(facts, { secret, response, remoteip: scope.request.ip, siteKey })
  let verdict: boolean | string
  try {
    const url = siteVerifyURLOverride || facts.siteVerifyUrl
    const answer = await scope.io.uncounted.outside(url, { ...question, timeout })
    verdict = answer.ok ? readVerdict(facts, await answer.json(), minScore) : `status ${answer.status}`
  } catch (thrown) {
    const reason = thrown instanceof Fault ? thrown.message : 'not JSON'
    throw errors.SOMETHING_WENT_WRONG({ detail: `CAPTCHA service unavailable: ${reason}` })
  }
  if (typeof verdict === 'string') {
    throw errors.SOMETHING_WENT_WRONG({ detail: `CAPTCHA service unavailable: ${verdict}` })
  }
  return verdict
}
