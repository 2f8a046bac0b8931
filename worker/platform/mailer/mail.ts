import type { AnyEnv, EnvOf } from '../env.ts'

/** One mail to one recipient. `text` and `html` have the same content. */
export interface Letter {
  /** The same at each attempt, so that a transport can send the mail once. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** A mail as features pass it. */
export interface Mail extends Letter {
  /** Its name (`resetPassword`). Each kind has a separate budget. */
  kind: string
  /** Milliseconds since 1970. */
  madeAt: number
  /** When its link or code expires (ms since 1970). It is not sent after that. */
  expiresAt?: number | undefined
}

/** A mail that is created only within its budget, because its code or link is stored, or ends an earlier one. Null: no mail is sent. */
export interface UnmadeMail extends Pick<Mail, 'to' | 'kind'> {
  make(): Promise<Mail | null>
}

/** Resolves when the transport has taken the mail. Rejects with Undeliverable (no retry), TryLater, or advice. */
export type SendMail = (mail: Letter) => Promise<void>

/** The sender of every mail. */
export interface Sender {
  address: string
  name: string
}

export interface MailOptions {
  /**
   * `mailbox`: the local mailbox in KV, shown at /dev/mailbox, for development. `cloudflare`: the `send_email` binding
   * named EMAIL. `smtp`: the server of SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASSWORD. `resend`, `postmark`: their
   * HTTP APIs, with RESEND_API_KEY and POSTMARK_SERVER_TOKEN. Or your own function.
   */
  transport: 'mailbox' | 'cloudflare' | 'smtp' | 'resend' | 'postmark' | OwnTransport
  from: Sender
  smtp?: {
    /**
     * `implicit`: TLS from the first byte (RFC 8314), the default of port 465. `starttls`: starts without encryption
     * and then requires it, the default of all other ports. `none`: no encryption; for loopback only.
     */
    tls?: 'implicit' | 'starttls' | 'none'
  }
  postmark?: {
    /** For the Postmark server; its default is `outbound`. */
    messageStream?: string
  }
}

/**
 * A configured transport. The transport has accepted the mail when its promise resolves. After a rejection the mail is
 * sent again with the same `id`, except after an error whose name is `Undeliverable`.
 */
export type OwnTransport<Own = AnyEnv> = (mail: Letter & { from: Sender }, env: EnvOf<Own>) => Promise<void>

/** No retry can succeed: the recipient does not exist. */
export class Undeliverable extends Error {
  override name = 'Undeliverable'
}

/** Compared by name, so that a transport of a product needs no import. */
export const isUndeliverable = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && thrown.name === 'Undeliverable'

/** A mail with header-safe values and the configured sender. */
export type Transport = (mail: Letter, from: Sender) => Promise<void>
