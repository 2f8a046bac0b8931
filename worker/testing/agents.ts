import { exchangeGrantType, tokenTypes } from '../features/identity-provider/model/clients/client.ts'
import type { Device, TestApp } from './harness.ts'
import { basic, postForm } from './oauth.ts'

export interface TestAgent {
  clientId: string
  clientSecret: string
  /** The header that authenticates it. */
  by: Record<string, string>
}

/** Creates an agent as the user of a device. */
export async function createAgent(
  device: Device,
  access: Record<string, string[]>,
  more: object = {},
): Promise<TestAgent> {
  const given = { name: 'Buyer', purpose: 'Buys paper', access, ...more }
  const { status, body } = await device.post('/agents/create', given)
  if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`)
  const { clientId } = body.agent
  const { clientSecret } = body
  return { clientId, clientSecret, by: basic({ client_id: clientId, client_secret: clientSecret }) }
}

/** Exchanges an access token as an agent (RFC 8693). */
export const exchangeToken = (
  app: TestApp,
  { by }: Pick<TestAgent, 'by'>,
  subject_token: string,
  more: Record<string, string | undefined> = {},
) => {
  const form = { grant_type: exchangeGrantType, subject_token, subject_token_type: tokenTypes.access, ...more }
  return postForm(app, '/oauth2/token', form, by)
}
