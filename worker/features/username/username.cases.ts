import type { FeatureCases } from '../../testing/cases.ts'
import { type Person, signUp } from '../../testing/people.ts'
import { slugOf } from '../../testing/set-ups.ts'
import { answered, signedUp } from '../../testing/ways.ts'

const nameOf = (person: Person) => slugOf(person).split('-example')[0]!.replaceAll('-', '_')

export const cases: FeatureCases = {
  faults: {
    'sign-in with a name': {
      endpoint: 'POST /sign-in/username',
      before: async (app, person) => {
        await signUp(app, person, { username: nameOf(person) })
        return { device: app.device() }
      },
      input: (_given, person) => ({ username: nameOf(person), password: person.password }),
    },
  },
  securityEvents: {
    'a username is changed': {
      act: signedUp((device) => answered(device.post('/update-user', { username: 'alice_two' }))),
      events: ['username-changed'],
    },
  },
}
