import type { Env } from '../env.ts'
import { sendToMailbox } from '../mailer/mailbox.ts'
import type { SendText } from './text-message.ts'
import type { TwilioEnv } from './twilio.ts'

export interface TextOptions {
  /** `mailbox`: the local mailbox, for development. `twilio`: Twilio's Messages API. */
  transport: 'mailbox' | 'twilio'
}

/** The function that sends text messages by the configured transport, which is loaded with the first message. */
export function texter({ transport }: TextOptions, env: Env & TwilioEnv): SendText {
  if (transport === 'mailbox') return (message) => sendToMailbox(env.KV, { channel: 'sms', ...message })
  return async (message) => (await import('./twilio.ts')).twilioTransport(env)(message)
}
