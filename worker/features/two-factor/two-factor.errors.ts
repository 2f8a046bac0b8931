import { catalogue } from '../../kit/errors.ts'

export const twoFactorErrors = catalogue({
  OTP_NOT_ENABLED: [400, 'OTP not enabled'],
  OTP_HAS_EXPIRED: [400, 'OTP has expired'],
  OTP_ISNT_CONFIGURED: [400, "otp isn't configured"],
  TOTP_NOT_ENABLED: [400, 'TOTP not enabled'],
  TOTP_ISNT_CONFIGURED: [400, "totp isn't configured"],
  TWO_FACTOR_ISNT_ENABLED: [400, "Two factor isn't enabled"],
  BACKUP_CODES_ARENT_ENABLED: [400, "Backup codes aren't enabled"],
  INVALID_BACKUP_CODE: [401, 'Invalid backup code'],
  INVALID_CODE: [401, 'Invalid code'],
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: [400, 'Too many attempts. Please request a new code.'],
  INVALID_TWO_FACTOR_COOKIE: [401, 'Invalid two factor cookie'],
  NO_PASSWORD_CREDENTIAL_FOUND: [400, 'No password credential found'],
})
