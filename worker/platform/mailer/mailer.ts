import type { Env } from '../env.ts'
import { deliverToMailbox } from './mailbox.ts'
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}
export type SendMail = (mail: Mail) => Promise<void>
export interface MailOptions {
  transport: 'mailbox' | 'cloudflare' | 'smtp'
  from: { address: string; name: string }
}
export const mailer =
  (_options: object, env: Env): SendMail =>
  (mail) =>
    deliverToMailbox(env.KV, { channel: 'email', ...mail })
