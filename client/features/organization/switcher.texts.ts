import { defineTexts } from '../../lib/texts/texts.ts'

export const switcherTexts = defineTexts('organizationSwitcher', {
  yourTeams: 'Your teams',
  wholeOrganization: 'Whole organization',
  teamOpened: 'Switched to the team {name}.',
  teamClosed: 'Switched to the whole organization.',
})
