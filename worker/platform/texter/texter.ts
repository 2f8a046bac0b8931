import { ms, seconds } from '../../kit/time.ts'
import { bounded } from '../bounded.ts'
import type { AnyEnv, Env } from '../env.ts'
import { sendToMailbox } from '../mailer/mailbox.ts'
import type { SendText, TextOptions } from './text-message.ts'
import type { TwilioEnv } from './twilio.ts'

/** Timeout of a configured transport function. */
const timeout = ms(seconds(20))

/** The function that sends text messages by the configured transport, which is loaded with the first message. */
export function texter({ transport }: TextOptions, env: Env & TwilioEnv): SendText {
  if (transport === 'mailbox') return (message) => sendToMailbox(env.KV, { channel: 'sms', ...message })
  if (transport === 'twilio') return async (message) => (await import('./twilio.ts')).twilioTransport(env)(message)
  return (message) =>
    bounded(
      'text.transport',
      timeout,
      () => transport(message, env as AnyEnv),
      () => true,
    )
}
