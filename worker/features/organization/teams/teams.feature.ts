import { defineFeature } from '../../../http/feature.ts'
import { teamsAreOn } from '../membership/membership.config.ts'
import { teamsRoutes } from './teams.routes.ts'

export const teams = defineFeature({
  name: 'organization-teams',
  routes: teamsRoutes,
  on: teamsAreOn,
  shows: { sessionWhenSet: ['activeTeamId'] },
})
