/** Headers of all answers of the Worker; an answer may override them. */
const common = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

// Copying all headers at once is much faster than setting them one by one.
const jsonHeaders = new Headers({ ...common, 'content-type': 'application/json' })

/** Answers that have all common headers from the start. */
const secured = new WeakSet<Response>()

/** A JSON answer; undefined becomes null. */
export const answerJson = (value: unknown, status = 200): Response =>
  answerJsonText(JSON.stringify(value ?? null), status)

/** The same from a text that is JSON already. */
export function answerJsonText(text: string, status = 200): Response {
  const answer = new Response(text, { status, headers: jsonHeaders })
  secured.add(answer)
  return answer
}

const commonEntries = Object.entries(common)

/** Browsers use https only (RFC 6797), for a year. */
const transportSecurity = 'max-age=31536000; includeSubDomains'

/** Adds the common headers that an answer lacks. */
export function secure(answer: Response, https: boolean): Response {
  if (https) answer.headers.set('strict-transport-security', transportSecurity)
  if (secured.has(answer)) return answer
  for (const [name, value] of commonEntries) {
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  }
  return answer
}
