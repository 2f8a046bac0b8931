import { Buffer } from 'node:buffer'
import { howToSet } from '../../kit/how-to-set.ts'
import { noIo } from '../io.ts'
import { reasonOf } from '../log.ts'
import { outside } from '../outside.ts'
import type { SendText } from './text-message.ts'

/** Secrets and variables of Twilio's Messages API. */
export interface TwilioEnv {
  /** `AC...` */
  TWILIO_ACCOUNT_SID?: string
  TWILIO_AUTH_TOKEN?: string
  /** The sender's number in E.164 form, or the `MG...` id of a messaging service. */
  TWILIO_FROM?: string
}

export const twilioSettings = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const

/** The reason of a rejection: `{ code, message, more_info, status }`. The message may contain the number. */
const codeOf = async (answer: Response): Promise<string> => {
  const { code } = await answer.json<{ code?: number }>().catch(() => ({ code: undefined }))
  return code === undefined ? `status ${answer.status}` : `status ${answer.status}, error ${code}`
}

/** Twilio's Messages API (`POST /2010-04-01/Accounts/{sid}/Messages.json`). @throws Error that says what to change */
export function twilioTransport(env: TwilioEnv): SendText {
  const missing = twilioSettings.filter((name) => !env[name])
  if (missing.length > 0) {
    throw new Error(`${missing.join(', ')} missing: ${howToSet('NAME')}, or change text.transport.`)
  }
  const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from } = env as Required<TwilioEnv>
  return async ({ to, text }) => {
    const sender = { [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from }
    const send = outside(noIo())
    let answer: Response
    try {
      answer = await send(`https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` },
        body: new URLSearchParams({ To: to, Body: text, ...sender }),
      })
    } catch (thrown) {
      throw new Error(`Twilio could not be reached (${reasonOf(thrown)}): try again later.`, { cause: thrown })
    }
    if (answer.ok) return void (await answer.body?.cancel())
    const advice =
      answer.status === 401
        ? 'check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN'
        : 'look the error up at https://www.twilio.com/docs/api/errors'
    throw new Error(`Twilio did not take a text message (${await codeOf(answer)}): ${advice}.`)
  }
}
