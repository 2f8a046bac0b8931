import { createHash } from 'node:crypto'
import type { Scope } from '../../identity/scope.ts'
import { AppError, Fault } from '../../kit/errors.ts'
import { days } from '../../kit/time.ts'
import { breachedPasswordOptions } from './breached-password.config.ts'
import { checkFailed, breachedPasswordErrors as errors } from './breached-password.errors.ts'

const prefixLength = 5

/**
 * Refuses a password that is known from a leak. The service is told the first five characters of its SHA-1, which it
 * shares with hundreds of others, and pads its answer so that not even its length tells more
 * (https://haveibeenpwned.com/API/v3#PwnedPasswords).
 * @throws PASSWORD_COMPROMISED; 500 when the service does not say
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
    answer = await scope.uncounted.outside(`${rangeURL}/${prefix}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'Gatehouse password check' },
      timeout,
      // Ranges are public and change rarely: the nearest Cloudflare location may keep them.
      cf: { cacheEverything: true, cacheTtlByStatus: { '200': days(1), '300-599': -1 } },
    })
    text = await answer.text()
  } catch (thrown) {
    const detail = thrown instanceof Fault ? thrown.message : 'the answer broke off'
    throw errors.FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER({ detail })
  }
  if (!answer.ok) throw checkFailed(answer.status)
  // Every range has hundreds of entries: an answer without any is none.
  if (!/^[0-9A-F]{35}:\d+\r?$/im.test(text)) {
    throw errors.FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER({ detail: 'the answer is no range' })
  }
  return text
}

/** Lines are `SUFFIX:COUNT`; a count of 0 is padding. */
const isIn = (range: string, suffix: string): boolean =>
  range.split('\n').some((line) => {
    const [known, count] = line.trim().split(':')
    return known!.toUpperCase() === suffix && Number(count) > 0
  })
