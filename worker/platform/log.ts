/** Fields of a log line. They never contain a token, a cookie, a code, a password or a whole address. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

/** Writes one JSON line for each event. */
export const logger =
  (requestId: string): Log =>
  (level, event, fields = {}) =>
    console[level](JSON.stringify({ level, event, requestId, ...fields }))

/**
 * The message of the first cause, for a log line, without what libraries add (drizzle: the statement with tokens,
 * hashes and addresses) and without addresses and numbers in messages of transports and hooks.
 */
export function reasonOf(thrown: unknown): string {
  let error = thrown
  while (error instanceof Error && error.cause instanceof Error) error = error.cause
  const reason = error instanceof Error ? error.message : String(error)
  return withoutRecipients(reason.split('\nparams:')[0]!).slice(0, 500)
}

/** A message that may contain addresses, for a log line. */
export const withoutAddresses = (text: string): string =>
  text.replace(/[^\s<>"'`()]+/g, (word) => (word.includes('@') ? '(address)' : word))

const withoutRecipients = (text: string): string => withoutAddresses(text).replace(/\+\d{7,15}\b/g, '(number)')

/** The stack of an error without its message. */
export function stackOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  return thrown.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n')
}
