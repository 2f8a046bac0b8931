import type { Env } from '../env.ts'
import type { MailOptions, SendMail, Transport } from './mail.ts'
import { sendToMailbox } from './mailbox.ts'

// A dot-atom and a host name (RFC 5322, section 3.4.1): nothing in it can end a header, a command or an address.
const address = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/i

function requireAddress(text: string, what: string): void {
  if (address.test(text)) return
  throw new Error(`The ${what} of a mail is no plain ASCII email address: it was not sent. Correct the address.`)
}

/** Line breaks and other control characters become spaces: what stands in a header stays in its line. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 900)

async function openTransport({ transport, smtp }: MailOptions, env: Env): Promise<Transport> {
  if (transport === 'cloudflare') return (await import('./cloudflare.ts')).cloudflareTransport(env.EMAIL)
  if (transport === 'smtp') return (await import('./smtp.ts')).smtpTransport(readSmtpServer(env, smtp?.tls))
  return (mail) => sendToMailbox(env.KV, { channel: 'email', ...mail })
}

function readSmtpServer(env: Env, tls?: 'implicit' | 'starttls' | 'none') {
  const { SMTP_HOST: host, SMTP_PORT = '465', SMTP_USER: user, SMTP_PASSWORD: password = '' } = env
  const port = Number(SMTP_PORT)
  if (!host)
    throw new Error('SMTP_HOST is missing: set it to the host name of your mail server, or change mail.transport.')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`SMTP_PORT is no port: set it to 465 or 587, not "${SMTP_PORT}".`)
  }
  return {
    host,
    port,
    tls: tls ?? (port === 465 ? 'implicit' : 'starttls'),
    ...(user ? { user, password } : {}),
  } as const
}

/**
 * The function that sends mails by the configured transport, which is loaded with the first mail. Every mail is made
 * fit for headers here, before any transport sees it (RFC 5322, section 2.2).
 */
export function mailer(options: MailOptions, env: Env): SendMail {
  return async (mail) => {
    const from = { address: options.from.address, name: oneLine(options.from.name) }
    requireAddress(mail.to, 'recipient')
    requireAddress(from.address, 'sender (mail.from.address in worker/config.ts)')
    const send = await openTransport(options, env)
    await send({ ...mail, subject: oneLine(mail.subject) }, from)
  }
}
