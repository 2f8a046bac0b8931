import type { FeatureCases } from '../../../testing/cases.ts'
import { picture } from '../../../testing/picture.ts'
import { known } from '../../../testing/set-ups.ts'
import { answered, signedUp } from '../../../testing/ways.ts'

export const cases: FeatureCases = {
  faults: {
    'a picture': { endpoint: 'POST /avatar', before: known, input: () => ({ webp: picture(64) }) },
  },
  events: {
    'a picture is uploaded': {
      act: signedUp((device) => answered(device.post('/avatar', { webp: picture(16) }))),
      events: ['user.updated'],
      hooks: ['updatingUser', 'userUpdated'],
    },
  },
}
