import { defineTexts } from '../../lib/texts/texts.ts'
import { organizationErrors } from './errors.texts.ts'

/** "owner or admin" */
const either = (language: string) => (names: string[]) =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(names)

const orEn = either('en')
const orDe = either('de')

/** What several screens of organizations say; what only one says stands beside it. */
export const organizationTexts = defineTexts(
  {
    switcher: 'Organization',
    find: 'Find an organization',
    none: 'No organization',
    create: 'New organization',
    choose: 'Choose an organization.',
    noneYet: 'You are not in an organization yet.',
    open: (name: string) => `Switch to ${name}`,
    opened: (name: string) => `Switched to ${name}.`,

    missing: (roles: string[]) => `Only people with the ${orEn(roles)} role can make changes here.`,
    missingAll: 'No role can make changes here.',
    seeRoles: 'What each role can do',

    name: 'Name',
    nameRequired: 'Enter a name.',
    slugInvalid: 'Use letters, digits, hyphens, underscores and dots only.',
    email: 'Email',
    role: 'Role',
    roles: 'Roles',
    team: 'Team',
    noTeam: '–',
    actionsFor: (name: string) => `Actions for ${name}`,
    since: 'Created',
    expires: 'Expires',
    roleRequired: 'Choose at least one role.',
    tooManyInvitations: 'Too many invitations at once. Send the next one later.',
    roleNames: { owner: 'Owner', admin: 'Admin', member: 'Member' } as Record<string, string>,

    errors: organizationErrors.en,
  },
  {
    switcher: 'Organisation',
    find: 'Organisation suchen',
    none: 'Keine Organisation',
    create: 'Neue Organisation',
    choose: 'Wähle eine Organisation.',
    noneYet: 'Du bist noch in keiner Organisation.',
    open: (name) => `Zu ${name} wechseln`,
    opened: (name) => `Zu ${name} gewechselt.`,

    missing: (roles) => `Hier kann nur etwas ändern, wer die Rolle ${orDe(roles)} hat.`,
    missingAll: 'Hier kann niemand etwas ändern.',
    seeRoles: 'Was jede Rolle darf',

    name: 'Name',
    nameRequired: 'Gib einen Namen ein.',
    slugInvalid: 'Nur Buchstaben, Ziffern, Bindestriche, Unterstriche und Punkte.',
    email: 'E-Mail',
    role: 'Rolle',
    roles: 'Rollen',
    team: 'Team',
    noTeam: '–',
    actionsFor: (name) => `Aktionen für ${name}`,
    since: 'Angelegt',
    expires: 'Läuft ab',
    roleRequired: 'Wähle mindestens eine Rolle.',
    tooManyInvitations: 'Zu viele Einladungen auf einmal. Sende die nächste später.',
    roleNames: { owner: 'Inhaber/in', admin: 'Admin', member: 'Mitglied' },

    errors: organizationErrors.de,
  },
)
