import type { AnyEnv } from '../env.ts'

/** One mail to one person. `text` and `html` say the same. */
export interface Letter {
  /** The same at every try, so that a transport that can tell sends it once. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** A mail as features hand it over. */
export interface Mail extends Letter {
  /** Its name (`resetPassword`): each kind has a budget of its own. */
  kind: string
  /** Milliseconds since 1970. */
  madeAt: number
}

/** A mail that is made only when its budget allows one, since its code ends an earlier one's. Null: nobody gets any. */
export interface UnmadeMail extends Pick<Mail, 'to' | 'kind'> {
  make(): Promise<Mail | null>
}

/**
 * Resolves when the transport has taken the mail over. Rejects with an Error whose message says what to do next:
 * Undeliverable where trying again is of no use, TryLater where the transport says when it is.
 */
export type SendMail = (mail: Letter) => Promise<void>

/** The sender that every mail carries. */
export interface Sender {
  address: string
  name: string
}

export interface MailOptions {
  /**
   * `mailbox`: the local mailbox in KV, shown at /dev/mailbox, for development. `cloudflare`: the `send_email`
   * binding named EMAIL. `smtp`: the server that SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASSWORD name. `resend`,
   * `postmark`: their HTTP APIs, with RESEND_API_KEY and POSTMARK_SERVER_TOKEN. Or a function of your own.
   */
  transport: 'mailbox' | 'cloudflare' | 'smtp' | 'resend' | 'postmark' | OwnTransport
  from: Sender
  smtp?: {
    /**
     * `implicit`: TLS from the first byte (RFC 8314), what port 465 speaks and its default. `starttls`: begun in
     * the clear and then required, the default of every other port. `none`: never encrypted; for loopback only.
     */
    tls?: 'implicit' | 'starttls' | 'none'
  }
  postmark?: {
    /** Of the Postmark server; its own default is `outbound`. */
    messageStream?: string
  }
}

/**
 * A transport by configuration. It has taken the mail over when its promise resolves. When it rejects, the mail is kept
 * and handed over again, with the same `id`; not after an error whose name is `Undeliverable`.
 */
export type OwnTransport = (mail: Letter & { from: Sender }, env: AnyEnv) => Promise<void>

/** No try will ever succeed: there is no such recipient. */
export class Undeliverable extends Error {
  override name = 'Undeliverable'
}

/** By its name, so that a transport of a product's own needs no import. */
export const isUndeliverable = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && thrown.name === 'Undeliverable'

/** A mail that is safe to put into headers, on its way from the configured sender. */
export type Transport = (mail: Letter, from: Sender) => Promise<void>
