import * as z from 'zod'
import type { Scope } from '../../../identity/scope.ts'
import { Fault } from '../../../kit/errors.ts'
import { readText } from '../../../platform/outside.ts'
import { enterpriseOptions } from '../enterprise.config.ts'
import type { OrganizationDomain } from '../model/domains.table.ts'

type Claimed = Pick<OrganizationDomain, 'domain' | 'token'>

/** The TXT record that verifies a domain. Its own name keeps the records of the domain free. */
export const txtRecordOf = ({ domain, token }: Claimed) => ({
  name: `_gatehouse.${domain}`,
  value: `gatehouse-domain-verification=${token}`,
})

const maxBytes = 64 * 1024
const txt = 16

/** An answer of a resolver in JSON. `Status` is the RCODE: 0 NOERROR, 3 NXDOMAIN (RFC 1035, RFC 2308). */
const dnsAnswer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
})

/** Strings of a TXT record are quoted and belong together (RFC 1035, section 3.3.14; RFC 7208, section 3.3). */
function textOf(data: string): string {
  if (!data.includes('"')) return data
  // An escape hides a quotation mark. A string without its end is not read.
  const parts = [...data.matchAll(/"((?:[^"\\]|\\[\s\S])*)(?:(")|\\?$)/g)]
  return parts.flatMap(([, part, end]) => (end ? [part] : [])).join('')
}

/**
 * Whether the domain has its TXT record, asked over DNS over HTTPS.
 * @throws Fault if the resolver or the name servers do not answer, which proves nothing
 */
export async function hasTxtRecord(scope: Scope, claim: Claimed): Promise<boolean> {
  const { name, value } = txtRecordOf(claim)
  const url = new URL(enterpriseOptions.of(scope).dnsResolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', 'TXT')
  const response = await scope.outside(url.toString(), { headers: { accept: 'application/dns-json' } })
  const text = response.ok ? await readText(response, maxBytes).catch(() => null) : null
  const parsed = dnsAnswer.safeParse(text === null ? null : jsonOf(text))
  if (!parsed.success || (parsed.data.Status !== 0 && parsed.data.Status !== 3)) {
    throw new Fault('the DNS resolver', new Error(`status ${response.status}`))
  }
  return (parsed.data.Answer ?? []).some(({ type, data }) => type === txt && textOf(data).trim() === value)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
