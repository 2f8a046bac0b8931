/** Headers of every answer of the Worker; an answer may have its own instead. */
const common = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

// Copied as a whole into each answer, which is much cheaper than setting one header after the other.
const jsonHeaders = new Headers({ ...common, 'content-type': 'application/json' })

/** A JSON answer. What has no value is null. */
export const answerJson = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value ?? null), { status, headers: jsonHeaders })

const commonEntries = Object.entries(common)

/** For answers over https: browsers come back by https only (RFC 6797), for a year. */
const transportSecurity = 'max-age=31536000; includeSubDomains'

/** Gives an answer made elsewhere the headers that it lacks. */
export function secure(answer: Response, https: boolean): Response {
  if (https) answer.headers.set('strict-transport-security', transportSecurity)
  for (const [name, value] of commonEntries) {
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  }
  return answer
}
