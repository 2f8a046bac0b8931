import { Resolver } from 'node:dns/promises'
import type { Configuration } from '../../configuration/read-config.ts'
import { mailOptions } from '../../identity/messages/messages.config.ts'
import { type Check, note, ok, problem } from './check.ts'

/** Records of the sender's domain, at the transports whose names are known. */
const recordsOf: Record<string, { spf: string; dkim: string | null }> = {
  // developers.cloudflare.com/email-service/concepts/email-authentication
  cloudflare: { spf: 'cf-bounce.', dkim: 'cf-bounce._domainkey.' },
  // resend.com/docs/dashboard/domains/introduction
  resend: { spf: 'send.', dkim: 'resend._domainkey.' },
}

export type ReadTexts = (name: string) => Promise<string[][]>

/** Asks the resolver of the system, with a short timeout. */
export function systemResolver(servers?: string[]): ReadTexts {
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  if (servers) resolver.setServers(servers)
  return (name) => resolver.resolveTxt(name)
}

/**
 * The transport and the sender of mails, and the records with which receivers authenticate them.
 * @param readTexts reads the TXT records of a name, and rejects without an answer
 */
export async function mailChecks(configuration: Configuration, readTexts = systemResolver()): Promise<Check[]> {
  const { transport, from } = mailOptions.of(configuration)
  const named = typeof transport === 'string' ? transport : 'a function of the configuration'
  const domain = from.address.split('@')[1] ?? ''
  const sender = ok('mail', `${named}, from ${from.address}`)
  if (/(?:^|\.)example(?:\.com|\.org|\.net)?$/.test(domain)) {
    const text = `mail.from.address is ${from.address}, the domain of examples`
    return [problem('mail', text, "set mail: { from: { address: 'accounts@your-domain' } } in the entry module")]
  }
  const { spf, dkim } = (typeof transport === 'string' && recordsOf[transport]) || { spf: '', dkim: null }
  const wanted = [
    { what: 'SPF', name: `${spf}${domain}`, mark: /^v=spf1\b/i, value: '"v=spf1 include:<the transport> ~all"' },
    ...(dkim === null ? [] : [{ what: 'DKIM', name: `${dkim}${domain}`, mark: /\bp=/, value: '"v=DKIM1; p=<key>"' }]),
    { what: 'DMARC', name: `_dmarc.${domain}`, mark: /^v=DMARC1\b/i, value: '"v=DMARC1; p=quarantine"' },
  ]
  const checks = await Promise.all(wanted.map((one) => recordCheck(one, readTexts)))
  if (dkim === null) {
    const text = `the records of ${named} are in its dashboard: a TXT or CNAME at <selector>._domainkey.${domain}`
    checks.splice(1, 0, note('DKIM', text))
  }
  return [sender, ...checks]
}

interface WantedRecord {
  what: string
  name: string
  mark: RegExp
  value: string
}

async function recordCheck({ what, name, mark, value }: WantedRecord, readTexts: ReadTexts): Promise<Check> {
  const fix = `add the TXT record that the dashboard of your mail transport shows: ${name} ${value}`
  try {
    const found = (await readTexts(name)).map((parts) => parts.join('')).find((text) => mark.test(text))
    if (found) return ok(what, `${name} ${found.length > 60 ? `${found.slice(0, 60)}…` : found}`)
    return problem(what, `${name} has no such TXT record; mails can end as spam`, fix)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'ENODATA') {
      return problem(what, `${name} has no TXT record; mails can end as spam`, fix)
    }
    return note(what, `no resolver answered (${code}); look for the TXT record ${name} ${value}`)
  }
}
