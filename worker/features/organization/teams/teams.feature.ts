import { defineFeature } from '../../../http/feature.ts'
import { teamsAreOn } from '../model/organization.config.ts'

export const teams = defineFeature({
  name: 'organization-teams',
  on: teamsAreOn,
  shows: { sessionWhenSet: ['activeTeamId'] },
  endpoints: async () => (await import('./teams.endpoints.ts')).teamsEndpoints,
})
