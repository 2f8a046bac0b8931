const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Adds the headers that every answer of the Worker carries, unless the answer has its own. */
export function secure(answer: Response): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (!answer.headers.has(name)) answer.headers.set(name, value)
  }
  return answer
}
