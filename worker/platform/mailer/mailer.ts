import { howToSet } from '../../kit/how-to-set.ts'
import { ms, seconds } from '../../kit/time.ts'
import { bounded } from '../bounded.ts'
import type { AnyEnv, Env } from '../env.ts'
import { type MailOptions, type SendMail, type Transport, Undeliverable } from './mail.ts'
import { sendToMailbox } from './mailbox.ts'

// A dot-atom and a host name (RFC 5322, section 3.4.1): no character can end a header, a command or an address.
const address = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/i

const wrongAddress = (what: string) =>
  `The ${what} of a mail is not a plain ASCII email address: it was not sent. Correct the address.`

/** Replaces line breaks and other control characters by spaces, so that a header is one line. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 900)

/** Timeout of a configured transport function. */
const timeout = ms(seconds(20))

async function openTransport({ transport, smtp, postmark }: MailOptions, env: Env): Promise<Transport> {
  if (typeof transport === 'function') {
    return (mail, from) =>
      bounded(
        'mail.transport',
        timeout,
        () => transport({ ...mail, from }, env as AnyEnv),
        () => true,
      )
  }
  if (transport === 'cloudflare') return (await import('./cloudflare.ts')).cloudflareTransport(env.EMAIL)
  if (transport === 'smtp') return (await import('./smtp.ts')).smtpTransport(readSmtpServer(env, smtp?.tls))
  if (transport === 'resend') return (await import('./resend.ts')).resendTransport(env.RESEND_API_KEY ?? '')
  if (transport === 'postmark') {
    const { postmarkTransport } = await import('./postmark.ts')
    return postmarkTransport(env.POSTMARK_SERVER_TOKEN ?? '', postmark?.messageStream)
  }
  return ({ to, subject, text, html }) => sendToMailbox(env.KV, { channel: 'email', to, subject, text, html })
}

function readSmtpServer(env: Env, tls?: 'implicit' | 'starttls' | 'none') {
  const { SMTP_HOST: host, SMTP_PORT = '465', SMTP_USER: user, SMTP_PASSWORD: password = '' } = env
  const port = Number(SMTP_PORT)
  if (!host)
    throw new Error(
      `SMTP_HOST is missing, the host name of your mail server: ${howToSet('SMTP_HOST')}, or change mail.transport.`,
    )
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`SMTP_PORT is not a port: set it to 465 or 587, not "${SMTP_PORT}".`)
  }
  return {
    host,
    port,
    tls: tls ?? (port === 465 ? 'implicit' : 'starttls'),
    ...(user ? { user, password } : {}),
  } as const
}

/** Sends mails by the configured transport, loaded with the first mail, with safe headers (RFC 5322, section 2.2). */
export function mailer(options: MailOptions, env: Env): SendMail {
  return async (mail) => {
    const from = { address: options.from.address, name: oneLine(options.from.name) }
    if (!address.test(mail.to)) throw new Undeliverable(wrongAddress('recipient'))
    if (!address.test(from.address)) throw new Error(wrongAddress('sender (mail.from.address)'))
    const send = await openTransport(options, env)
    const { id, to, text, html } = mail
    await send({ id, to, subject: oneLine(mail.subject), text, html }, from)
  }
}
