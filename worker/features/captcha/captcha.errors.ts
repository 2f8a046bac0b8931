import { catalogue } from '../../kit/errors.ts'

export const captchaErrors = catalogue({
  MISSING_CAPTCHA_RESPONSE: [400, 'Missing CAPTCHA response'],
  CAPTCHA_VERIFICATION_FAILED: [403, 'Captcha verification failed'],
  /** No secret key, or a provider that does not answer: the log says which. */
  SOMETHING_WENT_WRONG: [500, 'Something went wrong'],
})
