import { defineFeature } from '../../../http/feature.ts'

/** Most requests need it for nothing. */
const boundSessions = () => import('./bound-sessions.ts')

/** Device-bound sessions: registers the key of a browser and renews its bound cookie (identity/sessions/device-key.ts). */
export const deviceBound = defineFeature({
  name: 'device-bound',
  steps: {
    keyChecked(scope, found, outcome) {
      const { id, deviceKey } = found.session
      if (outcome === 'copied') scope.after(async () => (await boundSessions()).endCopied(scope, found))
      else scope.after(async () => (await boundSessions()).bindSession(scope, id, deviceKey!))
    },
  },
  endpoints: async () => (await import('./device-bound.endpoints.ts')).deviceBoundEndpoints,
})
