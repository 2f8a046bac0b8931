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
  '/organization/settings': {
    on: 'organization',
    tabs: true,
    title: 'organizationSettings.settingsTitle',
    requests: [organizations, activeOrganization],
  },
  '/admin': { on: 'admin', title: 'insights.title', requests: [organizations] },
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
