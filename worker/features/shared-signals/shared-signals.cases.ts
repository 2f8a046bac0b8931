import type { FeatureCases } from '../../testing/cases.ts'
import type { TestApp } from '../../testing/harness.ts'
import type { Person } from '../../testing/people.ts'
import { administering } from '../../testing/set-ups.ts'

const newReceiver = { name: 'Acme', audience: 'https://acme.example.com', events: ['session-revoked'] }

/** An administrator, and the stream of a receiver that polls, whose token the device sends from now on. */
async function receiving(app: TestApp, person: Person) {
  const { device: admin } = await administering(app, person)
  // As many as the fault test needs.
  const { body } = await admin.post('/admin/create-signal-receiver', newReceiver)
  const device = app.device()
  device.headers.authorization = `Bearer ${body.token}`
  return { device, given: body.id }
}

/** An administrator and the id of a registered receiver. */
async function registered(app: TestApp, person: Person) {
  const { device } = await administering(app, person)
  const { body } = await device.post('/admin/create-signal-receiver', newReceiver)
  return { device, given: body.id }
}

export const cases: FeatureCases = {
  config: {
    sharedSignals: {
      registration: true,
      maxReceivers: 100,
      receivers: [
        {
          name: 'acme',
          url: 'https://signals.acme.example.com/events',
          audience: 'https://acme.example.com',
          events: ['account-disabled'],
        },
      ],
    },
  },
  faults: {
    'an administrator registers a receiver of security events': {
      endpoint: 'POST /admin/create-signal-receiver',
      before: administering,
      input: () => newReceiver,
    },
    'an administrator deletes a receiver of security events': {
      endpoint: 'POST /admin/delete-signal-receiver',
      before: registered,
      input: (id) => ({ id }),
      afterwards: ['SIGNAL_RECEIVER_NOT_FOUND'],
    },
    'an administrator pauses a receiver of security events': {
      endpoint: 'POST /admin/set-signal-receiver-status',
      before: registered,
      input: (id) => ({ id, status: 'paused' }),
    },
    'an administrator verifies a receiver of security events': {
      endpoint: 'POST /admin/verify-signal-receiver',
      before: registered,
      input: (id) => ({ id }),
      afterwards: ['TOO_MANY_VERIFICATIONS'],
    },
    'a receiver acknowledges security events': {
      endpoint: 'POST /ssf/poll',
      before: receiving,
      input: () => ({ ack: ['jti'] }),
    },
    'a receiver pauses its stream': {
      endpoint: 'POST /ssf/status',
      before: receiving,
      input: (stream_id) => ({ stream_id, status: 'paused' }),
    },
    'a receiver verifies its stream': {
      endpoint: 'POST /ssf/verify',
      before: receiving,
      input: (stream_id) => ({ stream_id, state: 'a' }),
      afterwards: ['TOO_MANY_VERIFICATIONS'],
    },
  },
}
