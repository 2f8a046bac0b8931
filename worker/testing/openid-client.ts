import * as openid from 'openid-client'
import { origin, type TestApp } from './harness.ts'
import { fetchInto } from './oauth.ts'

/** openid-client as a client of the app. @param credential the secret, or metadata of a client with another authentication */
export const openidClient = (
  app: TestApp,
  clientId: string,
  credential: string | Partial<openid.ClientMetadata>,
  authentication?: openid.ClientAuth,
): Promise<openid.Configuration> =>
  openid.discovery(new URL(origin), clientId, credential, authentication, {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: fetchInto(app) as openid.CustomFetch,
  })
