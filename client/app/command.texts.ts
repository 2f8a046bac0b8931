import { defineTexts } from '../lib/texts/texts.ts'

export const commandTexts = defineTexts('commands', {
  themes: {
    system: { label: 'Theme of the system', words: 'theme, appearance, automatic' },
    light: { label: 'Light theme', words: 'light, bright, day, appearance' },
    dark: { label: 'Dark theme', words: 'dark, night, black, appearance' },
  },
  preferences: 'Appearance and language',
  languageWords: 'language, translation',
  keys: 'Ctrl K',
  title: 'Search and go to',
  placeholder: 'Page, action, person, organization …',
  placeholderOfMember: 'Page, action or organization …',
  placeholderOfPages: 'Page or action …',
  results: 'Results',
  switchTo: 'Switch organization',
  active: 'Active',
  users: 'Users',
  organizations: 'Organizations',
  requests: 'Requests',
  request: 'Find the request {id} in the audit log',
  nothing: 'Nothing found for “{text}”.',
  searching: 'Searching …',
  found: { one: '{count} result', other: '{count} results' },
  unavailable: 'Not everything could be searched.',
  opened: 'You are now working in {name}.',
})
