import { TOTP } from 'totp-generator'

/** The parameters of an otpauth address. */
export function readTotpUri(totpURI: string): { secret: string; issuer: string; digits: number; period: number } {
  const { searchParams } = new URL(totpURI)
  const get = (name: string) => searchParams.get(name) ?? ''
  return {
    secret: get('secret'),
    issuer: get('issuer'),
    digits: Number(get('digits')),
    period: Number(get('period')),
  }
}

/**
 * The code of the user's authenticator app. The library is not the one that the server uses.
 * @param steps offset from the current step
 */
export async function codeOf(totpURI: string, steps = 0): Promise<string> {
  const { secret, digits, period } = readTotpUri(totpURI)
  const timestamp = Date.now() + steps * period * 1000
  const { otp } = await TOTP.generate(secret, { digits, period, timestamp, explicitZeroPad: true })
  return otp
}

/**
 * The code of the previous step, for a browser: waits until the present step has begun less than half of it ago, because the
 * code is refused from its end on. A later code of the present step is still unused.
 */
export async function previousCode(totpURI: string): Promise<string> {
  const { period } = readTotpUri(totpURI)
  const [step, now] = [period * 1000, Date.now()]
  const gone = now % step
  if (gone > step / 2) await new Promise((resolve) => setTimeout(resolve, step - gone))
  return codeOf(totpURI, -1)
}

/** A code of the correct length that differs from the codes of the current and adjacent steps. */
export async function wrongCode(totpURI: string, n = 0): Promise<string> {
  const right = await Promise.all([-2, -1, 0, 1, 2].map((steps) => codeOf(totpURI, steps)))
  for (let candidate = n; ; candidate += 1000) {
    const code = String(candidate % 1_000_000).padStart(6, '0')
    if (!right.includes(code)) return code
  }
}
