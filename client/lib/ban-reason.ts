/**
 * The reason of a ban without its last full stop; empty without a reason. The server stores `defaultBanReason`
 * (worker/features/admin/admin.config.ts) when the administrator gave none.
 */
export const givenReason = (reason: unknown): string =>
  typeof reason === 'string' && reason !== 'No reason' ? reason.trim().replace(/\.$/, '') : ''
