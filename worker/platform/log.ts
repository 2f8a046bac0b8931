/** What may stand in a log line: never a token, a cookie, a code, a password or a whole address. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

/** One JSON line an event. */
export const logger =
  (requestId: string): Log =>
  (level, event, fields = {}) =>
    console[level](JSON.stringify({ level, event, requestId, ...fields }))

/**
 * Why something failed, for a log line: the message of the first cause. What a library wraps around it (drizzle adds
 * the statement with its parameters, which hold tokens, hashes and addresses) is left out, and so are the addresses and
 * numbers that a mail service, a transport or a hook of the product's own names in its message.
 */
export function reasonOf(thrown: unknown): string {
  let error = thrown
  while (error instanceof Error && error.cause instanceof Error) error = error.cause
  const reason = error instanceof Error ? error.message : String(error)
  return withoutRecipients(reason.split('\nparams:')[0]!).slice(0, 500)
}

const withoutRecipients = (text: string): string =>
  text.replace(/[^\s<>"'`(]+@[^\s<>"'`)]+/g, '(address)').replace(/\+\d{7,15}\b/g, '(number)')

/** Where something was thrown, without the message, which begins every stack. */
export function placeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  return thrown.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n')
}
