import { createHash } from 'node:crypto'
import type { Scope } from '../../../identity/scope.ts'
import { AppError, catalogue, codeOf, Fault } from '../../../kit/errors.ts'
import { days } from '../../../kit/time.ts'
import { breachedPasswordOptions } from './breached-password.config.ts'

const errors = catalogue({
  PASSWORD_COMPROMISED: [400, 'The password you entered has been compromised. Please choose a different password.'],
  FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER: [500, 'Failed to check password. Please try again later.'],
})

/** @param status the status of the range service's response */
function checkFailed(status: number): AppError {
  const message = `Failed to check password. Status: ${status}`
  return new AppError(500, codeOf(message), message)
}

const prefixLength = 5

/**
 * Refuses a password known from a leak. The service receives five characters of its SHA-1, and pads its answer so that
 * the length reveals nothing (https://haveibeenpwned.com/API/v3#PwnedPasswords).
 */
export async function refuseBreached(scope: Scope, password: string): Promise<void> {
  const { customPasswordCompromisedMessage } = breachedPasswordOptions.of(scope)
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const range = await fetchRange(scope, hash.slice(0, prefixLength))
  if (!isIn(range, hash.slice(prefixLength))) return
  const { status, code, message } = errors.PASSWORD_COMPROMISED
  throw new AppError(status, code, customPasswordCompromisedMessage || message)
}

async function fetchRange(scope: Scope, prefix: string): Promise<string> {
  const { rangeURL, timeout } = breachedPasswordOptions.of(scope)
  let answer: Response
  let text: string
  try {
    answer = await scope.io.uncounted.outside(`${rangeURL}/${prefix}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'Gatehouse password check' },
      timeout,
      // Ranges are public and change rarely. The nearest Cloudflare location may cache them.
      cf: { cacheEverything: true, cacheTtlByStatus: { '200': days(1), '300-599': -1 } },
    })
    text = await answer.text()
  } catch (thrown) {
    const detail = thrown instanceof Fault ? thrown.message : 'the answer broke off'
    throw errors.FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER({ detail })
  }
  if (!answer.ok) throw checkFailed(answer.status)
  // Every range has hundreds of entries: a response without entries is invalid.
  if (!/^[0-9A-F]{35}:\d+\r?$/im.test(text)) {
    throw errors.FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER({
      detail: 'the response is not a list of hash suffixes',
    })
  }
  return text
}

/** Lines are `SUFFIX:COUNT`; a count of 0 is padding. */
const isIn = (range: string, suffix: string): boolean =>
  range.split('\n').some((line) => {
    const [known, count] = line.trim().split(':')
    return known!.toUpperCase() === suffix && Number(count) > 0
  })
