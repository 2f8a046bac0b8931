import type { FeatureSwitches } from '../lib/auth/endpoints.ts'

// What the Worker writes into the page of a signed-in screen before a script has run: its title, its introduction, the
// heads of its sections, and the requests of the screen, which the browser sends while it loads the scripts.

type When = keyof FeatureSwitches

interface Part {
  /** Texts as `dictionary.key`. A section without a title has no head. */
  title?: string
  intro?: string
  /** The switch without which it does not exist. */
  on?: When
}

interface Request {
  /** Below /api/auth, as the screen writes it. */
  path: string
  on?: When
  /** Of the list without a filter, which an address with a query has. */
  unfiltered?: true
}

export interface MemberFrame {
  /** The switch of the screen (screens.ts). */
  on?: When
  title: string
  intro?: string
  /** Of a list (ui/member-page.tsx). */
  wide?: true
  /** The navigation has further screens for it (`in`). */
  tabs?: true
  sections?: readonly Part[]
  requests?: readonly Request[]
}

const organizations: Request = { path: '/organization/list', on: 'organization' }
const activeOrganization: Request = { path: '/organization/get-full-organization', on: 'organization' }

const streams: Part = { title: 'auditStreams.title', intro: 'auditStreams.intro' }

/** The parts of the audit log of an organization. */
const audit: MemberFrame = {
  on: 'audit',
  wide: true,
  tabs: true,
  title: 'organizationAudit.title',
  intro: 'organizationAudit.intro',
  requests: [organizations, activeOrganization],
}

/** By the path of the screen. Other screens, and the parts that depend on data, appear with the app. */
export const memberFrames: Readonly<Record<string, MemberFrame>> = {
  '/account/profile': {
    title: 'profile.title',
    intro: 'profile.intro',
    sections: [
      {},
      { title: 'username.title', intro: 'username.intro', on: 'username' },
      { title: 'profile.emailTitle', intro: 'profile.emailIntro' },
      { title: 'phoneNumber.number', intro: 'phoneNumber.phoneIntro', on: 'phoneNumber' },
    ],
    requests: [organizations, { path: '/change-email/pending', on: 'pendingEmail' }],
  },
  '/account/security': {
    title: 'security.title',
    intro: 'security.intro',
    sections: [
      { title: 'checkup.title' },
      { title: 'accounts.title', intro: 'accounts.intro' },
      { title: 'passkey.title', intro: 'passkey.intro', on: 'passkey' },
      { title: 'twoFactor.title', intro: 'twoFactor.intro', on: 'twoFactor' },
      { title: 'sessions.title', intro: 'sessions.intro' },
      { title: 'securityLog.title', intro: 'securityLog.intro' },
    ],
    requests: [
      organizations,
      { path: '/list-accounts' },
      { path: '/list-sign-in-methods', on: 'signInMethods' },
      { path: '/passkey/list-user-passkeys', on: 'passkey' },
      { path: '/list-sessions' },
      { path: '/security-events?limit=30' },
    ],
  },
  '/account/connections': {
    on: 'identityProvider',
    wide: true,
    tabs: true,
    title: 'identityProvider.connectionsTitle',
    intro: 'identityProvider.connectionsIntro',
    requests: [organizations],
  },
  '/account/approvals': {
    on: 'identityProvider',
    wide: true,
    tabs: true,
    title: 'approvals.title',
    intro: 'approvals.intro',
    requests: [organizations],
  },
  '/account/agents': {
    on: 'identityProvider',
    wide: true,
    tabs: true,
    title: 'agents.title',
    intro: 'agents.intro',
    requests: [organizations],
  },
  '/account/billing': { on: 'billing', title: 'billing.title', intro: 'billing.intro', requests: [organizations] },
  '/developers/api-keys': {
    on: 'apiKey',
    wide: true,
    title: 'apiKey.title',
    intro: 'apiKey.intro',
    requests: [organizations],
  },
  '/developers/clients': {
    on: 'identityProvider',
    wide: true,
    title: 'identityProvider.clientsTitle',
    intro: 'identityProvider.clientsIntro',
    requests: [organizations],
  },
  '/organization/members': {
    on: 'organization',
    wide: true,
    tabs: true,
    title: 'organizationMembers.membersTitle',
    requests: [organizations, activeOrganization],
  },
  '/organization/invitations': {
    on: 'organization',
    wide: true,
    tabs: true,
    title: 'organizationInvitations.invitationsTitle',
    intro: 'organizationInvitations.invitationsIntro',
    requests: [organizations, activeOrganization],
  },
  '/organization/teams': {
    on: 'teams',
    wide: true,
    tabs: true,
    title: 'organizationTeams.teamsTitle',
    intro: 'organizationTeams.teamsIntro',
    requests: [organizations, activeOrganization],
  },
  '/organization/settings': {
    on: 'organization',
    tabs: true,
    title: 'organizationSettings.settingsTitle',
    intro: 'organizationSettings.settingsIntro',
    requests: [organizations, activeOrganization],
  },
  '/organization/settings/single-sign-on': {
    on: 'singleSignOn',
    title: 'singleSignOn.title',
    intro: 'singleSignOn.intro',
    sections: [{ title: 'singleSignOn.link', intro: 'singleSignOn.linkIntro' }, {}],
    requests: [organizations, activeOrganization],
  },
  '/organization/agents': {
    on: 'identityProvider',
    wide: true,
    tabs: true,
    title: 'agents.title',
    intro: 'agents.organizationIntro',
    requests: [organizations, activeOrganization],
  },
  '/organization/resources': {
    on: 'organizationResources',
    wide: true,
    tabs: true,
    title: 'resources.resources',
    intro: 'resources.organizationIntro',
    requests: [organizations, activeOrganization],
  },
  '/organization/audit': audit,
  '/organization/audit/access-review': {
    ...audit,
    sections: [
      { title: 'accessReview.title', intro: 'accessReview.intro' },
      { title: 'accessReview.credentials', intro: 'accessReview.credentialsIntro' },
    ],
  },
  '/organization/audit/streams': { ...audit, sections: [streams] },
  '/organizations/new': {
    on: 'organization',
    title: 'createOrganization.createTitle',
    intro: 'createOrganization.createIntro',
    requests: [organizations],
  },
  '/admin': {
    on: 'admin',
    title: 'insights.title',
    intro: 'insights.intro',
    requests: [organizations, { path: '/admin/insights?days=30', unfiltered: true }],
  },
  '/admin/users': {
    on: 'admin',
    wide: true,
    title: 'admin.usersTitle',
    intro: 'admin.usersWhat',
    requests: [
      organizations,
      { path: '/admin/list-users?limit=50&sortBy=createdAt&sortDirection=desc', unfiltered: true },
    ],
  },
  '/admin/users/new': {
    on: 'admin',
    title: 'admin.createTitle',
    intro: 'admin.createIntro',
    requests: [organizations],
  },
  '/admin/organizations': {
    on: 'organization',
    wide: true,
    title: 'adminOrganizations.title',
    intro: 'adminOrganizations.intro',
    requests: [organizations, { path: '/admin/list-organizations?limit=50', unfiltered: true }],
  },
  '/admin/events': {
    on: 'admin',
    wide: true,
    title: 'events.title',
    intro: 'events.intro',
    requests: [organizations, { path: '/admin/security-events?limit=20', unfiltered: true }],
  },
  '/admin/audit': {
    on: 'admin',
    wide: true,
    tabs: true,
    title: 'admin.auditTitle',
    intro: 'admin.auditIntro',
    requests: [organizations, { path: '/admin/audit?limit=20', unfiltered: true }],
  },
  '/admin/audit/streams': {
    on: 'admin',
    wide: true,
    tabs: true,
    title: 'admin.auditTitle',
    intro: 'admin.auditIntro',
    sections: [streams],
    requests: [organizations],
  },
  '/admin/threats': {
    on: 'risk',
    wide: true,
    title: 'threats.title',
    intro: 'threats.intro',
    requests: [
      organizations,
      { path: '/admin/threats' },
      { path: '/admin/threat-counts?period=hours', unfiltered: true },
    ],
  },
  '/admin/agents': {
    on: 'identityProvider',
    wide: true,
    title: 'agents.title',
    intro: 'agents.allIntro',
    requests: [organizations],
  },
  '/admin/resources': {
    on: 'identityProvider',
    wide: true,
    title: 'resources.title',
    intro: 'resources.intro',
    requests: [organizations],
  },
  '/admin/undelivered': {
    on: 'admin',
    wide: true,
    title: 'jobs.title',
    intro: 'jobs.intro',
    requests: [organizations],
  },
  '/admin/brand': { on: 'admin', wide: true, title: 'brand.title', intro: 'brand.intro', requests: [organizations] },
  '/admin/server-keys': {
    on: 'serverKeys',
    wide: true,
    title: 'serverKeys.title',
    intro: 'serverKeys.intro',
    requests: [organizations],
  },
  '/admin/signal-receivers': {
    on: 'signalReceivers',
    wide: true,
    title: 'signalReceivers.title',
    intro: 'signalReceivers.intro',
    requests: [organizations],
  },
}

/** The texts that the frames name, without repetitions. */
export const textsOfFrames = (): string[] => [
  ...new Set(
    Object.values(memberFrames)
      .flatMap(({ sections = [], ...frame }) => [frame, ...sections])
      .flatMap(({ title, intro }) => [title, intro])
      .filter((name) => name !== undefined),
  ),
]
