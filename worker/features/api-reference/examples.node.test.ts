import { createAuthClient } from 'better-auth/client'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../openapi/openapi.ts'
import { readContracts } from '../../testing/contracts.ts'
import { type Documented, endpointsOf } from './documented.ts'
import { clientExample, curlExample } from './examples.ts'

const base = 'https://accounts.example.com'
const contracts = await readContracts()
const document = openApiDocument(
  contracts,
  {
    appName: 'Gatehouse',
    environment: 'development',
    baseUrl: base,
    baseUrlIsTaken: false,
    secrets: ['s'.repeat(32)],
    profile: 'compatible',
    trustedOrigins: [],
    jurisdiction: null,
    adminEmails: [],
  },
  {},
) as unknown as Documented
const endpoints = endpointsOf(document)

const contractOf = (operationId: string) =>
  contracts.find(({ contract }) => contract[operationId])!.contract[operationId]!

interface Sent {
  method: string
  url: URL
  text: string
}

/** The endpoint must accept the request of the example. */
function expectTaken(operationId: string, { method, url, text }: Sent): void {
  const { path, input: { body, raw, query } = {}, ...endpoint } = contractOf(operationId)
  expect({ operationId, method }).toEqual({ operationId, method: endpoint.method })
  expect(url.href).toMatch(
    new RegExp(`^${base}/api/auth${path.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}(\\?|$)`),
  )
  if (query) expect(query.safeParse(Object.fromEntries(url.searchParams)).error?.issues ?? [], operationId).toEqual([])
  const schema = body ?? (typeof raw === 'object' ? ('form' in raw ? raw.form : raw.json) : null)
  if (!schema) return
  const isForm = typeof raw === 'object' && 'form' in raw
  const given = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')
  expect(schema.safeParse(given).error?.issues ?? [], operationId).toEqual([])
}

/** Splits a command line as a shell does, limited to the syntax of the examples. */
const argumentsOf = (line: string): string[] =>
  [...line.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(')/g, (_all, quoted, escaped) => quoted ?? escaped),
  )

describe('the examples of the reference', () => {
  it.each(endpoints)('$method $path', async (endpoint) => {
    const { operationId } = endpoint.operation
    const sent: Sent[] = []
    const authClient = createAuthClient({
      baseURL: `${base}/api/auth`,
      fetchOptions: {
        customFetchImpl: async (input, init) => {
          sent.push({ method: init?.method ?? 'GET', url: new URL(String(input)), text: String(init?.body ?? '') })
          return Response.json({})
        },
      },
    })
    await new Function('authClient', `return (async () => { ${clientExample(endpoint)} })()`)(authClient)
    const [call] = sent.filter(({ url }) => url.pathname !== '/api/auth/get-session' || operationId === 'getSession')
    expectTaken(operationId, call!)

    const words = argumentsOf(curlExample(endpoint, document))
    const valuesOf = (option: string) => words.flatMap((word, at) => (words[at - 1] === option ? [word] : []))
    expect(words[0]).toBe('curl')
    const method = valuesOf('--request')[0] ?? 'GET'
    const url = new URL(words.find((word) => word.startsWith(base))!)
    const form = valuesOf('--data-urlencode').map((pair) => [
      pair.slice(0, pair.indexOf('=')),
      pair.slice(pair.indexOf('=') + 1),
    ])
    const text = form.length > 0 ? new URLSearchParams(form).toString() : (valuesOf('--data')[0] ?? '')
    expectTaken(operationId, { method, url, text })
    // A cookie is not sufficient for a POST: the edge requires the origin of the page.
    if (method === 'POST' && valuesOf('--cookie').length > 0) expect(valuesOf('--header')).toContain(`origin: ${base}`)
  })
})
