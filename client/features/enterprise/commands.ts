import { Globe, Link2, LogIn, Plus, Scale } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/singleSignOn', {
    section: { label: 'Single sign-on of the organization', words: 'single sign-on, SSO, SAML, OpenID' },
    page: {
      label: 'Single sign-on',
      words: 'single sign-on, SSO, SAML, OpenID, Okta, Entra, Google Workspace, identity provider',
    },
    connection: {
      label: 'New connection for single sign-on',
      words: 'single sign-on, SSO, SAML, OpenID, Okta, Entra, set up',
    },
    domains: { label: 'Domains', words: 'domain, verify, DNS, TXT' },
    addDomain: { label: 'Add a domain', words: 'domain, verify, DNS, TXT' },
    rules: { label: 'Rules for sign-in', words: 'rules, policy, enforce, required, two-factor' },
    setupLink: { label: 'Set-up link for an administrator', words: 'link, set up, IT, administrator, portal' },
  }),
  {
    section: {
      icon: LogIn,
      to: '/organization/settings#single-sign-on',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['read'] },
    },
    page: {
      icon: LogIn,
      to: '/organization/settings/single-sign-on#connections',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['read'] },
    },
    connection: {
      icon: Plus,
      to: '/organization/settings/single-sign-on#new-connection',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['update'] },
    },
    domains: {
      icon: Globe,
      to: '/organization/settings/single-sign-on#domains',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['read'] },
    },
    addDomain: {
      icon: Plus,
      to: '/organization/settings/single-sign-on#add-domain',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['update'] },
    },
    rules: {
      icon: Scale,
      to: '/organization/settings/single-sign-on#rules',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['read'] },
    },
    setupLink: {
      icon: Link2,
      to: '/organization/settings/single-sign-on#setup-link',
      on: 'singleSignOn',
      memberPermission: { singleSignOn: ['update'] },
    },
  },
)
