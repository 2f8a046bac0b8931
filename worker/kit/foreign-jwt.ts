import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import { minutes, ms } from './time.ts'

/**
 * The clock of another server may differ from ours by as much, for tokens and messages of every kind. FAPI 2.0 Security Profile,
 * section 5.3.2.1: times up to 10 s ahead are accepted, and times of more than 60 s ahead are rejected.
 */
export const clockTolerance = minutes(1)

/** Verifies a JWT that another server has signed. jose ignores an `iat` in the future unless the age of the token is limited. */
export async function verifyForeignJwt(
  token: string,
  keys: JWTVerifyGetKey,
  options: Omit<JWTVerifyOptions, 'clockTolerance'> & { currentDate: Date },
): Promise<JWTVerifyResult> {
  const verified = await jwtVerify(token, keys, { ...options, clockTolerance })
  if (isAhead(verified.payload, options.currentDate)) {
    throw new errors.JWTClaimValidationFailed('"iat" is in the future', verified.payload, 'iat', 'check_failed')
  }
  return verified
}

const isAhead = ({ iat }: JWTPayload, now: Date): boolean =>
  iat !== undefined && ms(iat - clockTolerance) > now.getTime()
