/**
 * Why somebody was banned, without its last full stop; empty where nobody said why. The server then has a reason of its
 * own (`defaultBanReason` in worker/features/admin/admin.config.ts), which tells nobody anything.
 */
export const givenReason = (reason: unknown): string =>
  typeof reason === 'string' && reason !== 'No reason' ? reason.trim().replace(/\.$/, '') : ''
