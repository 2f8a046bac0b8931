export const signalTypes = ['session-revoked', 'credential-change', 'account-disabled'] as const
export type SignalType = (typeof signalTypes)[number]
