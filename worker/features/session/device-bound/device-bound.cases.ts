import { BoundBrowser, newKey, signProof } from '../../../testing/bound-browser.ts'
import type { FeatureCases, World } from '../../../testing/cases.ts'
import { alice } from '../../../testing/people.ts'

/** Another browser proves another key for a bound session. */
async function copied({ app, begin }: World): Promise<void> {
  const browser = new BoundBrowser(app.device())
  await browser.post('/sign-up/email', alice)
  await browser.get('/get-session')
  await begin()
  const headers = {
    origin: '',
    'sec-secure-session-id': browser.id,
    'secure-session-response': await signProof(await newKey(), browser.sessions.get(browser.id)!.challenge),
  }
  await browser.device.send('POST', '/device-session/refresh', undefined, { headers })
}

const config = { session: { deviceBound: 'offer' } } as const

export const cases: FeatureCases = {
  config,
  withoutFaults: {
    'the browser registers another key with the next page': ['POST /device-session/register'],
  },
  events: { 'a device-bound session is copied': { config, act: copied, events: ['session.ended'], hooks: [] } },
  securityEvents: { 'a device-bound session is copied': { config, act: copied, events: ['session-copied'] } },
}
