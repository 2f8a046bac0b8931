/** What may stand in a log line: never a token, a cookie, a code, a password or a whole address. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

/** One JSON line an event. */
export const logger =
  (requestId: string): Log =>
  (level, event, fields = {}) =>
    console[level](JSON.stringify({ level, event, requestId, ...fields }))

/** The message of something thrown, for a log line. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
