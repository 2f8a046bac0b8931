/** The durations of a ban in seconds; null for a permanent one. */
export const durations = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000, ever: null } as const
