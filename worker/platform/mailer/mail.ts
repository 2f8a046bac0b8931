/** One mail to one person. `text` and `html` say the same. */
export interface Letter {
  to: string
  subject: string
  text: string
  html: string
}

/** A mail as features hand it over. */
export interface Mail extends Letter {
  /** What the mail is for (`reset-password`): each kind has a budget of its own. */
  kind: string
}

/** Resolves when the transport has taken the mail over. Rejects with an Error whose message says what to do next. */
export type SendMail = (mail: Letter) => Promise<void>

/** The sender that every mail carries. */
export interface Sender {
  address: string
  name: string
}

export interface MailOptions {
  /**
   * `mailbox`: the local mailbox in KV, shown at /dev/mailbox, for development. `cloudflare`: the `send_email`
   * binding named EMAIL. `smtp`: the server that SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASSWORD name.
   */
  transport: 'mailbox' | 'cloudflare' | 'smtp'
  from: Sender
  smtp?: {
    /**
     * `implicit`: TLS from the first byte (RFC 8314), what port 465 speaks and its default. `starttls`: begun in
     * the clear and then required, the default of every other port. `none`: never encrypted; for loopback only.
     */
    tls?: 'implicit' | 'starttls' | 'none'
  }
}

/** A mail that is safe to put into headers, on its way from the configured sender. */
export type Transport = (mail: Letter, from: Sender) => Promise<void>
