/** Durations are numbers of seconds, as the protocol's options are; these names keep bare numbers out of the code. */
export const seconds = (n: number): number => n
export const minutes = (n: number): number => n * 60
export const hours = (n: number): number => n * 3600
export const days = (n: number): number => n * 86_400

/** A duration (s) in milliseconds. */
export const ms = (duration: number): number => duration * 1000

/** The moment `duration` seconds after `from`. */
export const after = (from: Date, duration: number): Date => new Date(from.getTime() + ms(duration))
