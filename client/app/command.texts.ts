import { defineTexts } from '../lib/texts/texts.ts'

export const commandTexts = defineTexts('commands', {
  keys: 'Ctrl K',
  title: 'Search and go to',
  placeholder: 'Page, person, organization …',
  placeholderOfMember: 'Page or organization …',
  placeholderOfPages: 'Page …',
  results: 'Results',
  switchTo: 'Switch organization',
  active: 'Active',
  users: 'Users',
  organizations: 'Organizations',
  nothing: 'Nothing found for “{text}”.',
  searching: 'Searching …',
  found: { one: '{count} result', other: '{count} results' },
  unavailable: 'Users and organizations could not be searched.',
  opened: 'You are now working in {name}.',
})
